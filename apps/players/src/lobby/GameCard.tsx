import type { LobbyGame } from '@drawhouse/contract/players/lobby';
import { memo, useCallback } from 'react';
import { nextMoment, phaseOf } from '../lib/drawPhase.ts';
import type { DrawPhase } from '../lib/drawPhase.ts';
import { Link } from '../lib/navigation.ts';
import { useServerTime } from '../lib/serverTime.ts';
import { Countdown } from '../ui/Countdown.tsx';
import { DrawnResult, ResultPicture, resultText, SOURCE_WORDS, SourceSign } from '../ui/DrawnResult.tsx';
import styles from './GameCard.module.css';

/** What stands before the countdown of each phase. */
const CLOCK_WORDS: Readonly<Record<DrawPhase, string>> = {
  open: 'Betting closes in',
  closed: 'Betting is closed. Drawn in',
  over: 'Next draw in',
  none: 'Next draw in',
};

/** A game of the lobby: its countdown, what came up last and where that comes from. All of it leads to its board. */
export const GameCard = memo(function GameCard({ game }: { game: LobbyGame }) {
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
            <ul className={styles.before} aria-label="Results before">
              {before.map((drawn) => (
                <li key={drawn.drawId}>
                  <DrawnResult game={game} drawn={drawn} />
                </li>
              ))}
            </ul>
          )}
        </>
      ) : (
        <p className={styles.label}>Nothing was drawn yet.</p>
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
