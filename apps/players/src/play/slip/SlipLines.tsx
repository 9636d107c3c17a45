import type { GameRules } from '@drawhouse/rules/games/rules';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import { sharedText } from '../../lib/inLanguage.ts';
import { Money } from '../../ui/Figures.tsx';
import { playTexts, shortReturnText } from '../playTexts.ts';
import type { PlayState } from '../playState.ts';
import type { SlipEditor } from '../useSlip.ts';
import { removeBets } from './slip.ts';
import { costOf, stakeOf } from './slipSums.ts';
import buttons from '../../ui/Button.module.css';
import styles from './SlipPanel.module.css';

interface SlipLinesProps {
  state: PlayState;
  rules: GameRules;
  editor: SlipEditor;
}

const MOST_LINES = 60;

function returnsOf(lines: SlipEditor['slip']['lines'], rules: GameRules): string {
  return [...new Set(lines.map(({ head }) => shortReturnText(rules, head)))].join(', ');
}

export function SlipLines({ state, rules, editor: { slip, change } }: SlipLinesProps) {
  const { lines } = slip;
  return (
    <ul className={styles.lines}>
      {lines.slice(0, MOST_LINES).map((line) => (
        <li key={line.key}>
          <span className={styles.name}>
            {sharedText(lineName(line, rules))}{' '}
            <span className={styles.returns}>{shortReturnText(rules, line.head)}</span>
          </span>
          <Money points={costOf(line.qty, state.unitPrice)} />
          <button
            type="button"
            className={`${buttons.icon} ${styles.away}`}
            aria-label={playTexts.slip.remove(sharedText(lineName(line, rules)))}
            onClick={() => change((before) => removeBets(before, [line.key]))}
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
            {playTexts.slip.more(lines.length - MOST_LINES)}{' '}
            <span className={styles.returns}>{returnsOf(lines.slice(MOST_LINES), rules)}</span>
          </span>
          <Money points={stakeOf(lines.slice(MOST_LINES), state.unitPrice)} />
        </li>
      )}
    </ul>
  );
}
