import type { Lobby, LobbyGame } from '@drawhouse/contract/players/lobby';
import { useEffect, memo, useCallback } from 'react';
import { watchGames } from '../lib/server/liveConnection.ts';
import { netOf, applyGameNews } from '../lib/betting/lobbyNews.ts';
import { LOBBY, useLobby } from '../lib/betting/useLobby.ts';
import { Link } from '../lib/navigation.ts';
import { usePolling, updateCached } from '../lib/server/useQuery.ts';
import { useServerTime } from '../lib/server/serverTime.ts';
import { spanWords } from '../lib/amounts.ts';
import { Money, Countdown } from '../ui/Figures.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../ui/Page.tsx';
import { PauseNotice } from '../ui/PauseNotice.tsx';
import styles from './LobbyPage.module.css';
import { isNewsOverdue, nextMoment, phaseOf } from '../lib/betting/drawPhase.ts';
import type { DrawPhase } from '../lib/betting/drawPhase.ts';
import { DrawnResult, ResultPicture, resultText, SOURCE_WORDS, SourceSign } from '../ui/DrawnResult.tsx';

/** Poll interval for overdue news without a live connection. */
const ASK_AGAIN_MS = 5000;

/** Last played game first. */
export function LobbyPage() {
  const { data: lobby, error, reload } = useLobby();
  useLiveLobby(lobby, reload);
  return (
    <Page>
      <PageHeading title="Games" />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {lobby ? (
        <>
          <PauseNotice />
          <Today lobby={lobby} />
          {lobby.games.length === 0 ? (
            <Notice title="No games are available to you yet.">
              Your account manager opens games for your network.
            </Notice>
          ) : (
            <>
              <ul className={styles.games}>
                {lobby.games.map((game) => (
                  <GameCard key={game.gameId} game={game} />
                ))}
              </ul>
              <p className={styles.legend}>
                <abbr title="Generated">G</abbr> generated from a seed fixed before betting began. Anyone can check it.{' '}
                <abbr title="Declared">D</abbr> declared by the operator.
              </p>
            </>
          )}
        </>
      ) : (
        error === undefined && <Skeleton heights={[96, 168, 168, 168]} label="Loading your games" />
      )}
    </Page>
  );
}

function Today({ lobby: { winnings, today, signedInAt } }: { lobby: Lobby }) {
  const { staked, won, open } = today;
  return (
    <section className={styles.today} aria-label="Today">
      <dl>
        <div className={styles.net}>
          <dt>Today</dt>
          <dd>
            <Money points={netOf(today)} isChange />
          </dd>
          <dd className={styles.more}>
            staked <Money points={staked} />, won <Money points={won} />
          </dd>
        </div>
        <div>
          <dt>Open</dt>
          <dd>
            <Money points={open} />
          </dd>
        </div>
        <div>
          <dt>Signed in for</dt>
          <dd>
            <SinceSignIn since={signedInAt} />
          </dd>
        </div>
      </dl>
      {winnings > 0 && (
        <Notice
          tone="good"
          title={
            <>
              <Money points={winnings} /> to claim.
            </>
          }
          action={<Link to="/mine/bets?claims=waiting">Claim in My bets</Link>}
        />
      )}
    </section>
  );
}

function SinceSignIn({ since }: { since: string }) {
  const words = useServerTime((now) => spanWords(now - Date.parse(since)));
  return <span>{words}</span>;
}

/** Live updates, with polling as fallback for overdue ones. */
function useLiveLobby(lobby: Lobby | undefined, reload: () => void): void {
  const ids = lobby?.games.map(({ gameId }) => gameId).join('\n') ?? '';
  useEffect(() => {
    if (ids === '') return;
    return watchGames(ids.split('\n'), (news) => updateCached<Lobby>(LOBBY, (before) => applyGameNews(before, news)));
  }, [ids]);
  const isBehind = useServerTime((now) => lobby?.games.some((game) => isNewsOverdue(game, now)) ?? false);
  usePolling(isBehind, reload, ASK_AGAIN_MS);
}

const CLOCK_WORDS: Readonly<Record<DrawPhase, string>> = {
  open: 'Betting closes in',
  closed: 'Betting is closed. Drawn in',
  over: 'Next draw in',
  none: 'Next draw in',
};

const GameCard = memo(function GameCard({ game }: { game: LobbyGame }) {
  const { gameId, gameName, results } = game;
  const [last, ...before] = results;
  return (
    <li className={styles.card}>
      <h2 className={styles.name}>
        <Link to={`/play/${encodeURIComponent(gameId)}`}>{gameName}</Link>
      </h2>
      <Clock game={game} />
      {last ? (
        <>
          <div className={styles.last}>
            <ResultPicture game={game} result={last.result} size={56} />
            <p>
              <span className={styles.label}>Last result</span>
              <strong className={styles.text}>
                {resultText(game, last)}
                {last.booster > 1 && <span className={styles.booster}> ×{last.booster}</span>}
              </strong>
              <span className={styles.source}>
                <SourceSign source={last.source} /> <span aria-hidden="true">{SOURCE_WORDS[last.source]}</span>
              </span>
            </p>
          </div>
          {before.length > 0 && (
            <ul className={styles.before} aria-label="Earlier results">
              {before.map((drawn) => (
                <li key={drawn.drawId}>
                  <DrawnResult game={game} drawn={drawn} />
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <p className={styles.label}>No draws yet.</p>
      )}
    </li>
  );
});

function Clock({ game }: { game: LobbyGame }) {
  const phase = useServerTime(useCallback((now: number) => phaseOf(game.draw, now), [game.draw]));
  const moment = useServerTime(useCallback((now: number) => nextMoment(game, now) ?? '', [game]));
  if (moment === '')
    return (
      <p className={styles.clock} data-phase="none">
        Not open now
      </p>
    );
  return (
    <p className={styles.clock} data-phase={phase}>
      {CLOCK_WORDS[phase]} <Countdown until={moment} />
    </p>
  );
}
