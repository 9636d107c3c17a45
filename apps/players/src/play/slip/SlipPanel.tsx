import type { GameRules } from '@drawhouse/rules/games/rules';
import { createElement } from 'react';
import { pointsText } from '../../lib/amounts.ts';
import { betsText } from '../../lib/playerTexts.ts';
import { useLazyModule } from '../../lib/useLazyModule.ts';
import { Button } from '../../ui/Button.tsx';
import type { PlayState } from '../playState.ts';
import type { SlipEditor } from '../useSlip.ts';
import { canDouble, canHalve, clearSlip, doubleUnits, halveUnits, undo } from './slip.ts';
import { stakeOf } from './slipSums.ts';
import styles from './SlipPanel.module.css';
import { playTexts } from '../playTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const texts = playTexts.slip;

interface SlipPanelProps {
  state: PlayState;
  rules: GameRules;
  editor: SlipEditor;
  /** Null: the board has a field for typed bets. */
  onList: (() => void) | null;
  onQuickPick: () => void;
  onRepeat: () => void;
  onFavorites: () => void;
  onAhead: (() => void) | null;
}

/** Lazy: first visits have no lines. */
export const fetchLines = async () => (await import('./SlipLines.tsx')).SlipLines;

export function SlipPanel(props: SlipPanelProps) {
  const { state, rules, editor, onList, onQuickPick, onRepeat, onFavorites, onAhead } = props;
  const { slip, problem, change } = editor;
  const { lines, past } = slip;
  const isEmpty = lines.length === 0;
  const shown = useLazyModule(!isEmpty, fetchLines);
  return (
    <section className={styles.slip} aria-label={texts.title}>
      <h2 className={styles.title}>
        {texts.title}
        <span className={styles.count}>{betsText(lines.length)}</span>
      </h2>
      <div className={styles.tools}>
        <Button aria-disabled={past.length === 0} onClick={() => change(undo)}>
          {texts.undo}
        </Button>
        <Button aria-disabled={!canDouble(slip)} onClick={() => change(doubleUnits)}>
          {texts.double}
        </Button>
        <Button aria-disabled={!canHalve(slip)} onClick={() => change(halveUnits)}>
          {texts.halve}
        </Button>
        <Button aria-disabled={isEmpty} onClick={() => change(clearSlip)}>
          {texts.clear}
        </Button>
        {onList && <Button onClick={onList}>{texts.list}</Button>}
        <Button onClick={onQuickPick}>{texts.quickPick}</Button>
        <Button onClick={onRepeat}>{texts.repeat}</Button>
        <Button onClick={onFavorites}>{texts.favorites}</Button>
        {onAhead && <Button onClick={onAhead}>{texts.ahead}</Button>}
      </div>
      <p className={styles.problem} role="alert">
        {problem}
      </p>
      {isEmpty ? (
        <p className={styles.empty}>{texts.empty}</p>
      ) : (
        shown && createElement(shown, { state, rules, editor })
      )}
      {!isEmpty && (
        <p className={styles.sum}>
          {richText(texts.total, { points: <strong>{pointsText(stakeOf(lines, state.unitPrice))}</strong> })}
        </p>
      )}
    </section>
  );
}
