import type { GameRules } from '@drawhouse/rules/games/rules';
import { wheelBets } from '@drawhouse/rules/games/families/roulette';
import type { WheelBet } from '@drawhouse/rules/games/families/roulette';
import type { CSSProperties } from 'react';
import { Chip } from '../chips/Chip.tsx';
import { lazyTexts } from '../lazyTexts.ts';
import { returnText } from '../playTexts.ts';
import { unitsOn } from '../slip/slip.ts';
import type { Slip } from '../slip/slip.ts';
import { costOf } from '../slip/slipSums.ts';
import { GridCell, GridRow } from './BoardGrid.tsx';
import { Choices } from './Choices.tsx';
import { spotPlace } from './spotPlace.ts';
import styles from './WheelSpots.module.css';

const texts = lazyTexts.wheel;

const INSIDE: readonly string[] = ['split', 'street', 'corner', 'sixline'];

interface SpotChoiceProps {
  rules: GameRules;
  /** Empty: none. */
  kind: string;
  onKind: (kind: string) => void;
}

/** Chooses the kind of bets that have marks between the numbers. */
export function SpotChoice({ rules, kind, onKind }: SpotChoiceProps) {
  const kinds = rules.heads.filter(({ name }) => INSIDE.includes(name));
  const chosen = kinds.find(({ name }) => name === kind);
  return (
    <>
      <Choices
        legend={texts.between}
        options={[{ value: '', label: texts.none }, ...kinds.map(({ name, label }) => ({ value: name, label }))]}
        value={kind}
        onChange={onKind}
      />
      <p className={styles.note}>
        {chosen ? texts.spots(chosen.label, returnText(rules, kind)) : texts.returns(returnText(rules, 'straight'))}
      </p>
    </>
  );
}

interface WheelSpotsProps {
  rules: GameRules;
  kind: string;
  slip: Slip;
  unitPrice: number;
  zeros: readonly string[];
  onTouch: (cell: string) => void;
}

/** Marks of the chosen kind, and of all bets on the slip. */
export function WheelSpots({ rules, kind, slip, unitPrice, zeros, onTouch }: WheelSpotsProps) {
  const isShown = (bet: WheelBet): boolean =>
    bet.kind === kind || (INSIDE.includes(bet.kind) && unitsOn(slip, bet.key) > 0);
  const spots = wheelBets(rules).filter(isShown);
  if (spots.length === 0) return null;
  return (
    <GridRow className={styles.row}>
      {spots.map((bet) => {
        const { across, acrossSpan, along, alongSpan } = spotPlace(bet, zeros);
        const isAtEdge = bet.kind === 'street' && along > 0;
        const units = unitsOn(slip, bet.key);
        const points = costOf(units, unitPrice);
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
              tabIndex={-1}
              aria-label={units > 0 ? texts.spotOnSlip(bet.name, points) : bet.name}
              onClick={() => onTouch(bet.key)}
            />
            {units > 0 && (
              <span className={styles.chip}>
                <Chip points={points} units={units} size={25} />
              </span>
            )}
          </GridCell>
        );
      })}
    </GridRow>
  );
}
