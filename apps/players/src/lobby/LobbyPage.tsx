import type { Lobby, LobbyGame } from '@drawhouse/contract/players/lobby';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { watchGames, watchWallet } from '../lib/server/liveConnection.ts';
import { netOf, applyGameNews } from '../lib/betting/lobbyNews.ts';
import { LOBBY, useLobby } from '../lib/betting/useLobby.ts';
import { Link } from '../lib/navigation.ts';
import { call, failureText } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { refetch, refetchIfStale, usePolling, updateCached } from '../lib/server/useQuery.ts';
import { useServerTime } from '../lib/server/serverTime.ts';
import { Money, TimeSignedIn } from '../ui/Figures.tsx';
import { Notice } from '../ui/Notice.tsx';
import { HouseFooter } from '../ui/House.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../ui/Page.tsx';
import { PauseNotice } from '../ui/PauseNotice.tsx';
import styles from './LobbyPage.module.css';
import { isNewsOverdue } from '../lib/betting/drawPhase.ts';
import { showToast } from '../lib/toast.ts';
import { Field } from '../ui/fields/Fields.tsx';
import { GameCard } from './GameCard.tsx';
import { foundGames, sectionsOf } from './gameSections.ts';
import { richText } from '@drawhouse/session/rich-text';
import { lobbyTexts as texts } from './lobbyTexts.ts';

const ASK_AGAIN_MS = 5000;

export function LobbyPage() {
  const { data: lobby, error, reload } = useLobby();
  useLiveLobby(lobby, reload);
  return (
    <Page>
      <PageHeading title={texts.title} />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {lobby ? (
        <>
          <PauseNotice />
          <Today lobby={lobby} />
          {lobby.games.length === 0 ? (
            <Notice title={texts.none}>{texts.noneHelp}</Notice>
          ) : (
            <Games games={lobby.games} />
          )}
        </>
      ) : (
        error === undefined && <Skeleton heights={[96, 168, 168, 168]} label={texts.loading} />
      )}
      {lobby && <HouseFooter />}
    </Page>
  );
}

/** Below this, a search is unnecessary. */
const SEARCHED_FROM = 7;

function Games({ games }: { games: readonly LobbyGame[] }) {
  const [text, setText] = useState('');
  const { pinned, moved, toggle } = usePins(games);
  const found = foundGames(games, text);
  const cardsOf = (own: readonly LobbyGame[]) => (
    <ul className={styles.games}>
      {own.map((game) => (
        <GameCard
          key={game.gameId}
          game={game}
          isPinned={pinned.has(game.gameId)}
          isMoved={moved === game.gameId}
          onPin={toggle}
        />
      ))}
    </ul>
  );
  return (
    <>
      {games.length >= SEARCHED_FROM && (
        <Field
          className={styles.search}
          label={texts.search}
          type="search"
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <output className="unseen">{text.trim() === '' ? '' : texts.found(found.length)}</output>
      {text.trim() === '' ? (
        <div className={styles.sections}>
          {sectionsOf(games, pinned).map(({ kind, games: own }) => (
            <section
              key={kind}
              className={styles.section}
              style={{ '--games': own.length } as object}
              aria-labelledby={`kind-${kind}`}
            >
              <h2 id={`kind-${kind}`}>{texts.kinds[kind]}</h2>
              {cardsOf(own)}
            </section>
          ))}
        </div>
      ) : found.length > 0 ? (
        cardsOf(found)
      ) : (
        <Notice title={texts.notFound} />
      )}
      <p className={styles.legend}>
        {richText(texts.legend, {
          generated: <abbr title={texts.generated}>G</abbr>,
          declared: <abbr title={texts.declared}>D</abbr>,
        })}
      </p>
    </>
  );
}

/** Shows a pin at once and reverts it if refused. */
function usePins(games: readonly LobbyGame[]) {
  const [moved, setMoved] = useState('');
  const pinned = useMemo(() => new Set(games.filter((game) => game.isPinned).map(({ gameId }) => gameId)), [games]);
  const toggle = useCallback(
    (gameId: string) => {
      const isPinned = !pinned.has(gameId);
      updateCached<Lobby>(LOBBY, (before) => ({
        ...before,
        games: before.games.map((game) => (game.gameId === gameId ? { ...game, isPinned } : game)),
      }));
      setMoved(gameId);
      call(routes.pinGame, { body: { gameId, pinned: isPinned } }).catch((error: unknown) => {
        showToast(failureText(error));
        refetch(LOBBY);
      });
    },
    [pinned],
  );
  return { pinned, moved, toggle };
}

function Today({ lobby: { winnings, today, signedInAt } }: { lobby: Lobby }) {
  const { staked, won, open } = today;
  return (
    <section className={styles.today} aria-label={texts.today}>
      <dl>
        <div className={styles.net}>
          <dt>{texts.today}</dt>
          <dd>
            <Money points={netOf(today)} isChange />
          </dd>
          <dd className={styles.more}>
            {richText(texts.sums, { staked: <Money points={staked} />, won: <Money points={won} /> })}
          </dd>
        </div>
        <div>
          <dt>{texts.open}</dt>
          <dd>
            <Money points={open} />
          </dd>
        </div>
        <div>
          <dt>{texts.signedIn}</dt>
          <dd>
            <TimeSignedIn since={signedInAt} />
          </dd>
        </div>
      </dl>
      {winnings > 0 && (
        <Notice
          tone="good"
          title={richText(texts.toClaim, { points: <Money points={winnings} /> })}
          action={<Link href="/mine/bets?claims=waiting">{texts.claim}</Link>}
        />
      )}
    </section>
  );
}

function useLiveLobby(lobby: Lobby | undefined, reload: () => void): void {
  const ids = lobby?.games.map(({ gameId }) => gameId).join('\n') ?? '';
  useEffect(() => {
    if (ids === '') return;
    return watchGames(ids.split('\n'), (news) => updateCached<Lobby>(LOBBY, (before) => applyGameNews(before, news)));
  }, [ids]);
  useEffect(() => watchWallet(() => refetchIfStale(LOBBY)), []);
  const isBehind = useServerTime((now) => lobby?.games.some((game) => isNewsOverdue(game, now)) ?? false);
  usePolling(isBehind, reload, ASK_AGAIN_MS);
}
