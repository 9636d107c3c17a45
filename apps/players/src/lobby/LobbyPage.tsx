import type { Lobby, LobbyGame } from '@drawhouse/contract/players/lobby';
import { resultName } from '@drawhouse/rules/panel/shown-result';
import { useEffect, memo, useCallback } from 'react';
import { watchGames } from '../lib/server/liveConnection.ts';
import { netOf, applyGameNews } from '../lib/betting/lobbyNews.ts';
import { LOBBY, useLobby } from '../lib/betting/useLobby.ts';
import { Link } from '../lib/navigation.ts';
import { usePolling, updateCached } from '../lib/server/useQuery.ts';
import { useServerTime } from '../lib/server/serverTime.ts';
import { Countdown, Money, TimeSignedIn } from '../ui/Figures.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../ui/Page.tsx';
import { PauseNotice } from '../ui/PauseNotice.tsx';
import styles from './LobbyPage.module.css';
import { isNewsOverdue, nextMoment, phaseOf } from '../lib/betting/drawPhase.ts';
import { DrawnResult, ResultPicture, SOURCE_TEXTS, SourceSign } from '../ui/DrawnResult.tsx';
import { fill } from '../lib/playerTexts.ts';
import { lobbyTexts as texts } from './lobbyTexts.ts';

/** Poll interval for overdue news without a live connection. */
const ASK_AGAIN_MS = 5000;

/** Last played game first. */
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
            <>
              <ul className={styles.games}>
                {lobby.games.map((game) => (
                  <GameCard key={game.gameId} game={game} />
                ))}
              </ul>
              <p className={styles.legend}>
                {fill(texts.legend, {
                  generated: <abbr title={texts.generated}>G</abbr>,
                  declared: <abbr title={texts.declared}>D</abbr>,
                })}
              </p>
            </>
          )}
        </>
      ) : (
        error === undefined && <Skeleton heights={[96, 168, 168, 168]} label={texts.loading} />
      )}
    </Page>
  );
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
            {fill(texts.sums, { staked: <Money points={staked} />, won: <Money points={won} /> })}
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
          title={fill(texts.toClaim, { points: <Money points={winnings} /> })}
          action={<Link to="/mine/bets?claims=waiting">{texts.claim}</Link>}
        />
      )}
    </section>
  );
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
              <span className={styles.label}>{texts.lastResult}</span>
              <strong className={styles.text}>
                {resultName(game, last.result)}
                {last.booster > 1 && <span className={styles.booster}> ×{last.booster}</span>}
              </strong>
              <span className={styles.source}>
                <SourceSign source={last.source} /> <span aria-hidden="true">{SOURCE_TEXTS[last.source]}</span>
              </span>
            </p>
          </div>
          {before.length > 0 && (
            <ul className={styles.before} aria-label={texts.earlierResults}>
              {before.map((drawn) => (
                <li key={drawn.drawId}>
                  <DrawnResult game={game} drawn={drawn} />
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <p className={styles.label}>{texts.noDraws}</p>
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
        {texts.notOpen}
      </p>
    );
  return (
    <p className={styles.clock} data-phase={phase}>
      {texts.phases[phase]} <Countdown until={moment} />
    </p>
  );
}
