import { setOf } from '@drawhouse/pictures/picture-sets';
import { useEffect, useEffectEvent } from 'react';
import { ResultPicture } from '../../ui/result/DrawnResult.tsx';
import { lazyTexts } from '../lazyTexts.ts';
import { isGain, payoutText, resultWords } from './ResultCard.tsx';
import type { ResultCardProps } from './ResultCard.tsx';
import styles from './ResultMoment.module.css';
import { WheelDrawing } from './WheelDrawing.tsx';

export { ResultCard } from './ResultCard.tsx';

/** Two seconds of movement, then time to read. */
const SHOWN_MS = { staked: 4500, unstaked: 3200 };

interface ResultMomentProps extends ResultCardProps {
  onOver: () => void;
}

/** Wins and losses look the same. A touch or Escape closes it. Screen readers read the result card instead. */
export function ResultMoment({ state, rules, result, payout, mine, onOver }: ResultMomentProps) {
  const close = useEffectEvent(onOver);
  const shownMs = SHOWN_MS[payout === null ? 'unstaked' : 'staked'];
  useEffect(() => {
    const timer = setTimeout(() => close(), shownMs);
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    window.addEventListener('keydown', press);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', press);
    };
  }, [shownMs]);
  const words = resultWords(state, rules, result, mine);
  const isPictured = setOf(state.gameId, state.family) !== undefined;
  return (
    <button
      type="button"
      className={styles.moment}
      data-won={isGain(payout) || undefined}
      aria-label={lazyTexts.result.skip}
      tabIndex={-1}
      onClick={onOver}
    >
      {rules.family === 'roulette' && 'drawno' in result.result ? (
        <WheelDrawing rules={rules} drawno={result.result.drawno} isRolling />
      ) : isPictured ? (
        <span className={styles.card} data-set={setOf(state.gameId, state.family)}>
          <ResultPicture game={state} result={result.result} size={112} />
        </span>
      ) : null}
      {isPictured ? <span className={styles.words}>{words}</span> : <Digits text={words} />}
      {result.booster > 1 && <span className={styles.booster}>×{result.booster}</span>}
      <span className={styles.payout} data-none={payout === null || undefined}>
        {payoutText(payout)}
      </span>
    </button>
  );
}

const DIGITS = '0123456789';

/** Drawn digits roll. Names such as `K50` and `+ 28 more` do not. */
function Digits({ text }: { text: string }) {
  return (
    <span className={styles.digits}>
      {text.split(/(?<=[,·] )|(?=\+)/).map((winner) => (
        <span key={winner} className={styles.winner}>
          {winner.split(/(?<= )/).map((word) => (
            <Word key={word} text={word} isDrawn={/^\d/.test(word) && !winner.startsWith('+')} />
          ))}
        </span>
      ))}
    </span>
  );
}

function Word({ text, isDrawn }: { text: string; isDrawn: boolean }) {
  return Array.from(text, (letter, index) =>
    isDrawn && DIGITS.includes(letter) ? (
      <span key={index} className={styles.reel}>
        <span style={{ '--turn': 10 + Number(letter), '--nth': index % 4 } as object}>
          {Array.from(DIGITS + DIGITS).join('\n')}
        </span>
      </span>
    ) : (
      <span key={index}>{letter}</span>
    ),
  );
}
