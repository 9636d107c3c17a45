import { useMemo } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { Page } from '../ui/Page.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import type { PageProps } from '../lib/pageProps.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { ReadFailure, Skeleton } from '../ui/Waiting.tsx';
import { identityOf } from './playNews.ts';
import { PlayTable } from './PlayTable.tsx';
import { usePlayState } from './usePlayState.ts';

/** The page on which a game is played. */
export function PlayPage({ params }: PageProps) {
  const gameId = params['gameId']!;
  return (
    <Page>
      <Game key={gameId} gameId={gameId} />
    </Page>
  );
}

function Game({ gameId }: { gameId: string }) {
  const { state, error, again, settled } = usePlayState(gameId);
  const isGone = error instanceof ApiError && error.code === 'GAME_UNAVAILABLE';
  const { family = '', outcomes } = state ?? {};
  const digits = outcomes?.length ?? 0;
  const game = useMemo(() => identityOf({ gameId, family, digits }), [gameId, family, digits]);
  if (isGone || (state && !game))
    return (
      <>
        <PageHeading title="This game is not open to you" />
        <Notice action={<ButtonLink to="/">To your games</ButtonLink>}>
          {isGone
            ? 'It may have been closed, or taken from your network. What you have laid on it stands in My bets.'
            : 'This page does not know its kind yet. Load the page anew to get a newer one.'}
        </Notice>
      </>
    );
  if (!state || !game)
    return error === undefined ? (
      <Skeleton heights={[64, 64, 360, 120]} label="Loading the game" />
    ) : (
      <ReadFailure error={error} onRetry={again} />
    );
  return (
    <>
      {error !== undefined && <ReadFailure error={error} onRetry={again} />}
      <PlayTable game={game} state={state} settled={settled} />
    </>
  );
}
