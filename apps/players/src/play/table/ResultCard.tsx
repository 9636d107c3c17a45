import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { GameRules } from '@drawhouse/rules/rules';
import { Link } from '../../lib/navigation.ts';
import { AllWinners } from '../../ui/AllWinners.tsx';
import { ResultPicture, resultText, SOURCE_WORDS, SourceSign } from '../../ui/DrawnResult.tsx';
import { Money } from '../../ui/Money.tsx';
import type { PlayState } from '../playNews.ts';
import type { Paid } from './paidOf.ts';
import { resultGame } from './resultGame.ts';
import { WheelDrawing } from './WheelDrawing.tsx';
import styles from './ResultCard.module.css';

interface ResultCardProps {
  state: PlayState;
  rules: GameRules;
  result: DrawResult;
  /** What it brought its player; null where nothing was laid on it, or it is not known yet. */
  paid: Paid | null;
}

/** The last result: what came up, where that comes from, what it paid, and the way to its check. */
export function ResultCard({ state, rules, result, paid }: ResultCardProps) {
  const game = resultGame(state);
  const isWheel = rules.family === 'roulette' && 'drawno' in result.result;
  return (
    <section className={styles.card} data-won={(paid && paid.won > 0) || undefined} aria-label="Last result">
      {isWheel && 'drawno' in result.result ? (
        <WheelDrawing rules={rules} drawno={result.result.drawno} />
      ) : (
        <ResultPicture game={game} result={result.result} size={72} />
      )}
      <div className={styles.words} aria-live="polite">
        <p className={styles.label}>Draw {result.number}</p>
        <p className={styles.text}>
          {resultText(game, result)}
          {result.booster > 1 && <span className={styles.booster}> ×{result.booster}</span>}
        </p>
        <AllWinners game={game} result={result.result} />
        {paid && <PaidLine paid={paid} isManual={state.manualClaims === 'yes'} />}
        <p className={styles.source}>
          <SourceSign source={result.source} /> <span aria-hidden="true">{SOURCE_WORDS[result.source]}</span>
        </p>
        {/* Of the pages that check draws, which are loaded. */}
        <a href={`/fair/${result.drawId}`}>Check this draw</a>
      </div>
    </section>
  );
}

function PaidLine({ paid: { staked, won }, isManual }: { paid: Paid; isManual: boolean }) {
  if (won === 0)
    return (
      <p>
        Of your <Money points={staked} /> on it nothing came back.
      </p>
    );
  return (
    <>
      <p className={styles.won}>
        You won <Money points={won} isChange />
      </p>
      <p className={styles.label}>
        on <Money points={staked} /> staked{' '}
        {isManual && <Link to="/mine/bets?claims=waiting">It waits to be claimed</Link>}
      </p>
    </>
  );
}
