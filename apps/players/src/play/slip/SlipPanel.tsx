import type { GameRules } from '@drawhouse/rules/rules';
import { betsText, countText, pointsText } from '../../lib/amounts.ts';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Money.tsx';
import { shortReturnText } from '../boards/returnText.ts';
import type { PlayState } from '../playNews.ts';
import type { SlipInHand } from '../useSlip.ts';
import { canDouble, canHalve, cleared, doubled, halved, undone, without } from './slip.ts';
import { costOf, stakeOf } from './slipSums.ts';
import { lineName } from '../../lib/lineName.ts';
import icon from '../../ui/lineIcon.module.css';
import styles from './SlipPanel.module.css';

interface SlipPanelProps {
  state: PlayState;
  rules: GameRules;
  hand: SlipInHand;
  onQuickPick: () => void;
  onRepeat: () => void;
  onFavourites: () => void;
}

/** So many lines are shown one by one; more are a sum. */
const MOST_LINES = 60;

/** What lines return, each share once: `returns 90%, returns 80%`. */
function returnsOf(lines: SlipInHand['slip']['lines'], rules: GameRules): string {
  return [...new Set(lines.map(({ head }) => shortReturnText(rules, head)))].join(', ');
}

/** The ticket that is being made: its lines, and what is done with all of them. */
export function SlipPanel({ state, rules, hand, onQuickPick, onRepeat, onFavourites }: SlipPanelProps) {
  const { slip, problem, change } = hand;
  const { lines, past } = slip;
  const isEmpty = lines.length === 0;
  return (
    <section className={styles.slip} aria-label="Your ticket">
      <h2 className={styles.title}>
        Your ticket
        <span className={styles.count}>{betsText(lines.length)}</span>
      </h2>
      <div className={styles.tools}>
        <Button aria-disabled={past.length === 0} onClick={() => change(undone)}>
          Undo
        </Button>
        <Button aria-disabled={!canDouble(slip)} onClick={() => change(doubled)}>
          Double
        </Button>
        <Button aria-disabled={!canHalve(slip)} onClick={() => change(halved)}>
          Half
        </Button>
        <Button aria-disabled={isEmpty} onClick={() => change(cleared)}>
          Clear
        </Button>
        <Button onClick={onQuickPick}>Quick pick</Button>
        <Button onClick={onRepeat}>Repeat</Button>
        <Button onClick={onFavourites}>Favourites</Button>
      </div>
      <p className={styles.problem} role="alert">
        {problem}
      </p>
      {isEmpty ? (
        <p className={styles.empty}>Touch the board to lay the chip that you have in the hand.</p>
      ) : (
        <ul className={styles.lines}>
          {lines.slice(0, MOST_LINES).map((line) => (
            <li key={line.key}>
              <span className={styles.name}>
                {lineName(line, rules)} <span className={styles.returns}>{shortReturnText(rules, line.head)}</span>
              </span>
              <Money points={costOf(line.qty, state.unitPrice)} />
              <button
                type="button"
                className={`${icon.button} ${styles.away}`}
                aria-label={`Take ${lineName(line, rules)} away`}
                onClick={() => change((before) => without(before, [line.key]))}
              >
                <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
                  <path d="M6 6l12 12M18 6L6 18" />
                </svg>
              </button>
            </li>
          ))}
          {lines.length > MOST_LINES && (
            <li>
              <span className={styles.name}>
                and {countText(lines.length - MOST_LINES)} more{' '}
                <span className={styles.returns}>{returnsOf(lines.slice(MOST_LINES), rules)}</span>
              </span>
              <Money points={stakeOf(lines.slice(MOST_LINES), state.unitPrice)} />
            </li>
          )}
        </ul>
      )}
      {!isEmpty && (
        <p className={styles.sum}>
          Total <strong>{pointsText(stakeOf(lines, state.unitPrice))}</strong>
        </p>
      )}
    </section>
  );
}
