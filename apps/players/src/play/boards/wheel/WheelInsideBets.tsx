import type { GameRules } from '@drawhouse/rules/games/rules';
import { wheelBets, type WheelBet } from '@drawhouse/rules/games/families/roulette';
import type { CSSProperties } from 'react';
import { sharedText } from '../../../lib/inLanguage.ts';
import { Chip } from '../../chips/Chip.tsx';
import { lazyTexts } from '../../lazyTexts.ts';
import { playTexts, returnText } from '../../playTexts.ts';
import type { BoardProps } from '../boardCells.ts';
import { unitsOn } from '../../slip/slip.ts';
import { costOf } from '../../slip/slipSums.ts';
import { GridCell, GridRow } from '../BoardGrid.tsx';
import { Choices } from '../Choices.tsx';
import styles from './WheelInsideBets.module.css';

/** Tracks: two per number across; along, one for the zeros, then one per row of three. */
interface SpotPlace {
  readonly across: number;
  readonly acrossSpan: number;
  readonly along: number;
  readonly alongSpan: number;
}

const TRACKS = 6;

/** Its center is where the numbers of a bet meet. */
export function spotPlace({ numbers }: Pick<WheelBet, 'numbers'>, zeros: readonly string[]): SpotPlace {
  const inRows = numbers.map(Number).filter((number) => number > 0);
  const ofZeros = numbers.filter((number) => zeros.includes(number));
  const lefts = inRows.map((number) => ((number - 1) % 3) * 2);
  const rows = inRows.map((number) => Math.ceil(number / 3));
  let from = inRows.length === 0 ? 0 : Math.min(...lefts);
  let to = inRows.length === 0 ? TRACKS : Math.max(...lefts) + 2;
  if (ofZeros.length === 1 && inRows.length === 1) {
    const width = TRACKS / zeros.length;
    const left = zeros.indexOf(ofZeros[0]!) * width;
    [from, to] = [Math.max(from, left), Math.min(to, left + width)];
  }
  const along = ofZeros.length > 0 ? 0 : Math.min(...rows);
  return { across: from, acrossSpan: to - from, along, alongSpan: Math.max(0, ...rows) - along + 1 };
}

const texts = lazyTexts.wheel;

const INSIDE: readonly string[] = ['split', 'street', 'corner', 'sixline'];

interface SpotChoiceProps {
  rules: GameRules;
  kind: string;
  onKind: (kind: string) => void;
}

export function SpotChoice({ rules, kind, onKind }: SpotChoiceProps) {
  const kinds = rules.heads.filter(({ name }) => INSIDE.includes(name));
  const chosen = kinds.find(({ name }) => name === kind);
  return (
    <>
      <Choices
        legend={texts.between}
        options={[
          { value: '', label: texts.none },
          ...kinds.map(({ name, label }) => ({ value: name, label: sharedText(label) })),
        ]}
        value={kind}
        onChange={onKind}
      />
      <p className={styles.note}>
        {chosen
          ? texts.spots(sharedText(chosen.label), returnText(rules, kind))
          : texts.returns(returnText(rules, 'straight'))}
      </p>
    </>
  );
}

interface WheelInsideBetsProps extends Pick<BoardProps, 'slip' | 'placed' | 'drawn'> {
  rules: GameRules;
  kind: string;
  unitPrice: number;
  zeros: readonly string[];
  onTouch: (cell: string) => void;
}

export function WheelInsideBets({ rules, kind, slip, placed, drawn, unitPrice, zeros, onTouch }: WheelInsideBetsProps) {
  const isShown = ({ kind: own, key }: WheelBet): boolean =>
    own === kind || (INSIDE.includes(own) && (unitsOn(slip, key) > 0 || placed.has(key)));
  const spots = wheelBets(rules).filter(isShown);
  if (spots.length === 0) return null;
  return (
    <GridRow className={styles.row}>
      {spots.map((bet) => {
        const { across, acrossSpan, along, alongSpan } = spotPlace(bet, zeros);
        const isAtEdge = bet.kind === 'street' && along > 0;
        const units = unitsOn(slip, bet.key);
        const points = costOf(units, unitPrice);
        const unitsPlaced = placed.get(bet.key) ?? 0;
        const pointsPlaced = costOf(unitsPlaced, unitPrice);
        const isDrawn = drawn.has(bet.key);
        const ariaLabel = [
          bet.name,
          isDrawn && playTexts.board.drawn,
          units > 0 && playTexts.board.onSlip(points),
          unitsPlaced > 0 && playTexts.board.onDraw(pointsPlaced),
        ];
        return (
          <GridCell
            key={bet.key}
            className={`${styles.spot} ${isAtEdge ? styles.edge : ''}`}
            style={{ '--c': across, '--cs': acrossSpan, '--r': along, '--rs': alongSpan } as CSSProperties}
          >
            <button
              type="button"
              className={styles.mark}
              data-cell={bet.key}
              data-drawn={isDrawn || undefined}
              tabIndex={-1}
              aria-label={ariaLabel.filter(Boolean).join(', ')}
              onClick={() => onTouch(bet.key)}
            />
            {units > 0 && (
              <span className={styles.chip}>
                <Chip points={points} units={units} size={25} />
              </span>
            )}
            {unitsPlaced > 0 && (
              <span className={styles.placed}>
                <Chip points={pointsPlaced} units={unitsPlaced} size={25} />
              </span>
            )}
          </GridCell>
        );
      })}
    </GridRow>
  );
}
