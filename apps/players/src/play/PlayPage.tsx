import { useMemo, useEffect, useState } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { Page, PageHeading, ReadFailure, Skeleton } from '../ui/Page.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { usePolling, updateCached, useQuery } from '../lib/server/useQuery.ts';
import type { PageProps } from '../lib/matchPath.ts';
import { Notice } from '../ui/Notice.tsx';
import { identityOf } from '../lib/betting/familyRules.ts';
import { applyNews, addSettlement, type PlayState, type Settlements } from './playState.ts';
import { readPlayState } from './readPlayState.ts';
import { PlayScreen } from './PlayScreen.tsx';
import { isNewsOverdue } from '../lib/betting/drawPhase.ts';
import { watchGames, watchWallet } from '../lib/server/liveConnection.ts';
import { useServerTime } from '../lib/server/serverTime.ts';
import { playTexts as texts } from './playTexts.ts';

export function PlayPage({ params }: PageProps) {
  const gameId = params['gameId']!;
  return (
    <Page>
      <Game key={gameId} gameId={gameId} />
    </Page>
  );
}

function Game({ gameId }: { gameId: string }) {
  const { state, error, reload, settled } = usePlayState(gameId);
  const isGone = error instanceof ApiError && error.code === 'GAME_UNAVAILABLE';
  const { family = '', outcomes } = state ?? {};
  const digits = outcomes?.length ?? 0;
  const game = useMemo(() => identityOf({ gameId, family, digits }), [gameId, family, digits]);
  if (isGone || (state && !game))
    return (
      <>
        <PageHeading title={texts.unavailable.title} />
        <Notice action={<ButtonLink href="/">{texts.seeGames}</ButtonLink>}>
          {isGone ? texts.unavailable.gone : texts.unavailable.tooOld}
        </Notice>
      </>
    );
  if (!state || !game)
    return error === undefined ? (
      <Skeleton heights={[64, 64, 360, 120]} label={texts.loading} />
    ) : (
      <ReadFailure error={error} onRetry={reload} />
    );
  return (
    <>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      <PlayScreen game={game} state={state} settled={settled} />
    </>
  );
}

const ASK_AGAIN_MS = 4_000;

function usePlayState(gameId: string) {
  const name = `play/${gameId}`;
  const { data: state, error, reload } = useQuery(name, (signal) => readPlayState(gameId, signal));
  const [settled, setSettled] = useState<Settlements>(() => new Map());
  useEffect(
    () => watchGames([gameId], (news) => updateCached<PlayState>(name, (before) => applyNews(before, news))),
    [gameId, name],
  );
  useEffect(() => watchWallet((news) => setSettled((before) => addSettlement(before, gameId, news))), [gameId]);
  const isBehind = useServerTime((now) => state !== undefined && isNewsOverdue(state, now));
  usePolling(isBehind, reload, ASK_AGAIN_MS);
  return { state, error, reload, settled };
}
