import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { resultName } from '@drawhouse/rules/panel/shown-result';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { sharedText } from '../../lib/inLanguage.ts';
import { Link } from '../../lib/navigation.ts';
import type { ReactNode } from 'react';
import type { ResultGame } from '../../ui/result/DrawnResult.tsx';
import { ResultPicture, SourceSign, sourceText } from '../../ui/result/DrawnResult.tsx';
import { AllWinners } from '../../ui/result/AllWinners.tsx';
import { Money } from '../../ui/Figures.tsx';
import type { PlayState } from '../playState.ts';
import type { DrawPayout } from '../ownStakes.ts';
import { WheelDrawing } from './WheelDrawing.tsx';
import styles from './ResultCard.module.css';
import { playTexts } from '../playTexts.ts';
import { lazyTexts } from '../lazyTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const texts = lazyTexts.result;

export interface ResultCardProps {
  state: PlayState;
  rules: GameRules;
  result: DrawResult;
  payout: DrawPayout;
  mine: ReadonlySet<string>;
}

export function ResultCard({ state, rules, result, payout, mine }: ResultCardProps) {
  return (
    <section className={styles.card} data-won={isGain(payout) || undefined} aria-label={texts.label}>
      {rules.family === 'roulette' && 'drawno' in result.result ? (
        <WheelDrawing rules={rules} drawno={result.result.drawno} />
      ) : (
        <ResultPicture game={state} result={result.result} size={72} />
      )}
      <div className={styles.words}>
        <p className={styles.label}>{playTexts.draw.drawnAt(result.drawsAt)}</p>
        <div aria-live="polite">
          <p className={styles.text}>
            <span className={'winners' in result.result ? 'unseen' : undefined}>
              {resultWords(state, rules, result)}
            </span>
            {result.booster > 1 && <span className={styles.booster}> ×{result.booster}</span>}
          </p>
          <p className={styles.payout} data-won={isGain(payout) || undefined}>
            {payoutText(payout)}
          </p>
        </div>
        <AllWinners result={result.result} mine={mine} />
        <p className={styles.source}>
          <SourceSign {...result} /> <span aria-hidden="true">{sourceText(result)}</span>
        </p>
        <p className={styles.links}>
          {/* Another app: needs a full page load. */}
          <a href={`/fair/${result.drawId}`}>{texts.check}</a>
          {payout && payout.won > 0 && state.manualClaims === 'yes' && (
            <Link to="/mine/bets?claims=waiting">{texts.claim}</Link>
          )}
        </p>
      </div>
    </section>
  );
}

/** True if the win exceeds the stake. */
export function isGain(payout: DrawPayout): boolean {
  return payout != null && payout.won > payout.staked;
}

export function payoutText(payout: DrawPayout): ReactNode {
  if (payout === undefined) return null;
  if (payout === null) return texts.noStake;
  const { won, staked } = payout;
  const sums = { won: <Money points={won} />, staked: <Money points={staked} /> };
  return richText(won === 0 ? texts.lost : won > staked ? texts.won : texts.cameBack, sums);
}

/** A wheel's result includes color and parity: `17 black, odd`. Own winners come first. */
export function resultWords(
  game: ResultGame,
  rules: GameRules,
  result: DrawResult,
  mine: ReadonlySet<string> = new Set(),
): string {
  const drawn = result.result;
  if ('winners' in drawn && mine.size > 0) {
    const winners = Object.fromEntries(Object.entries(drawn.winners).filter(([slot]) => mine.has(slot)));
    return sharedText(resultName(game, { winners }));
  }
  const text = sharedText(resultName(game, drawn));
  if (rules.family !== 'roulette') return text;
  const color = rules.outcomes.find(({ drawno }) => drawno === text)?.color;
  const number = Number(text);
  return `${sharedText(`${text} ${color}`)}${number === 0 ? '' : `, ${number % 2 === 0 ? texts.even : texts.odd}`}`;
}
