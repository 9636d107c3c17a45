import type { LobbyGame } from '@drawhouse/contract/players/lobby';
import { resultName } from '@drawhouse/rules/panel/shown-result';
import { memo, useCallback } from 'react';
import { sharedText } from '../lib/inLanguage.ts';
import { laterOpening, nextMoment, phaseOf } from '../lib/betting/drawPhase.ts';
import { Link } from '../lib/navigation.ts';
import { richText } from '@drawhouse/session/rich-text';
import { useServerTime } from '../lib/server/serverTime.ts';
import { ResultPicture, SourceSign, sourceText } from '../ui/result/DrawnResult.tsx';
import { Countdown, Money } from '../ui/Figures.tsx';
import { GameCover } from '../ui/result/GameCover.tsx';
import styles from './LobbyPage.module.css';
import { playerTexts } from '../lib/playerTexts.ts';
import { lobbyTexts as texts } from './lobbyTexts.ts';

interface GameCardProps {
  game: LobbyGame;
  isPinned: boolean;
  /** Takes focus, because the card moved with the pressed button. */
  isMoved: boolean;
  onPin: (gameId: string) => void;
}

export const GameCard = memo(function GameCard({ game, isPinned, isMoved, onPin }: GameCardProps) {
  const { gameId, gameName, open, results } = game;
  const [last] = results;
  const path = encodeURIComponent(gameId);
  return (
    <li className={styles.card}>
      <GameCover game={game} size={44} />
      <h3 className={styles.name}>
        <Link href={`/play/${path}`}>{gameName}</Link>
      </h3>
      <Clock game={game} />
      {game.draw && game.draw.outside !== null && (
        <p className={styles.label}>{playerTexts.outside(game.draw.outside)}</p>
      )}
      {game.awaited.map(({ drawId, outside }) => (
        <p key={drawId} className={styles.label}>
          {playerTexts.awaits(outside)}
        </p>
      ))}
      {open > 0 && <p className={styles.open}>{richText(texts.openBets, { points: <Money points={open} /> })}</p>}
      {last ? (
        <div className={styles.last}>
          <ResultPicture game={game} result={last.result} size={40} />
          <p>
            <span className={styles.label}>{texts.lastResult}</span>
            <strong className={styles.text}>
              {sharedText(resultName(game, last.result))}
              {last.booster > 1 && <span className={styles.booster}> ×{last.booster}</span>} <SourceSign {...last} />
            </strong>
          </p>
          {last.source === 'declared' && (
            <p className={styles.source} aria-hidden="true">
              {sourceText(last)}
            </p>
          )}
        </div>
      ) : (
        <p className={styles.label}>{texts.noDraws}</p>
      )}
      <div className={styles.acts}>
        {last && (
          <Link href={`/results/${path}`} aria-label={texts.resultsOf(gameName)}>
            {texts.results}
          </Link>
        )}
        <button
          type="button"
          className={styles.pin}
          aria-pressed={isPinned}
          aria-label={texts.pin(gameName)}
          ref={isMoved ? (button) => button?.focus() : undefined}
          onClick={() => onPin(gameId)}
        >
          <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
            <path d="M9 3h6l-1 6 4 4v2H6v-2l4-4ZM12 15v6" />
          </svg>
        </button>
      </div>
    </li>
  );
});

function Clock({ game }: { game: LobbyGame }) {
  const phase = useServerTime(useCallback((now: number) => phaseOf(game.draw, now), [game.draw]));
  const moment = useServerTime(useCallback((now: number) => nextMoment(game, now) ?? '', [game]));
  const opening = useServerTime(useCallback((now: number) => laterOpening(game, now), [game]));
  if (moment === '')
    return (
      <p className={styles.clock} data-phase="none">
        {texts.notOpen}
      </p>
    );
  return (
    <p className={styles.clock} data-phase={phase}>
      {opening === '' ? texts.phases[phase] : texts.opensAt(opening)} <Countdown until={moment} />
    </p>
  );
}
