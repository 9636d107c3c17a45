import type { PanelRow } from '@drawhouse/contract/live/live';
import { ActionIcon } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDots, IconLock } from '@tabler/icons-react';
import { memo, type CSSProperties } from 'react';
import { readRowClick } from '../../../../ui/table/rows/rowClick.ts';
import { cellText } from '../numbers/cellFigures.ts';
import { Glow } from '../../LiveMarks.tsx';
import { tierNet } from '../groupMath.ts';
import { groupTexts } from '../gridTexts.ts';
import classes from './TiersGrid.module.css';

export interface Tier {
  collection: number;
  cutoff: number;
  booster: number;
}

export function kindsOf(row: PanelRow | undefined): { name: string; sum: number }[] {
  return [
    { name: groupTexts.andhar, sum: row?.andharsum ?? 0 },
    { name: groupTexts.bahar, sum: row?.baharsum ?? 0 },
    { name: groupTexts.jodi, sum: row?.jodisum ?? 0 },
  ];
}

/** The sheet of a compact row shows exact amounts. */
const COMPACT_FROM = { wide: 1_000_000_000, compact: 10_000_000 };

interface TierRowProps extends Tier {
  row: PanelRow;
  scope: string;
  selected: boolean;
  sealed: boolean;
  disabled: boolean;
  reachable: boolean;
  compact: boolean;
  onToggle: (drawno: string) => void;
  onDetails: (drawno: string) => void;
}

/** Color, sign and word all tell if the number reaches the cutoff. */
export const TierRow = memo(function TierRow(props: TierRowProps) {
  const { row, selected, sealed, disabled, reachable, compact, onToggle, onDetails } = props;
  const { drawno, sum } = row;
  const { payout, net, keeps } = tierNet(row, props);
  const Verdict = keeps ? IconCheck : IconAlertTriangle;
  return (
    // Keyboard users press the number's button.
    <tr
      data-drawno={drawno}
      data-keeps={keeps}
      data-selected={selected || undefined}
      data-sealed={sealed || undefined}
      onClick={(event) => {
        if (!disabled && readRowClick(event) === 'here') onToggle(drawno);
      }}
    >
      <th scope="row">
        <button
          type="button"
          className={classes.number}
          aria-pressed={selected}
          aria-disabled={disabled || undefined}
          tabIndex={reachable ? 0 : -1}
          onClick={() => !disabled && onToggle(drawno)}
        >
          {drawno}
          {selected && <IconCheck size={16} stroke={3} aria-hidden />}
          {sealed && !selected && <IconLock size={15} aria-hidden />}
          {sealed && <span className="unseen"> {groupTexts.result}</span>}
        </button>
      </th>
      {!compact && kindsOf(row).map((kind) => <Amount key={kind.name} value={kind.sum} compact={compact} />)}
      <Amount value={sum} compact={compact} scope={props.scope} />
      <Amount value={payout} compact={compact} />
      <Amount value={net} compact={compact} strong />
      <td className={classes.verdict}>
        <Verdict size={16} stroke={2.5} aria-hidden />
        <span className={compact ? 'unseen' : undefined}>{keeps ? groupTexts.keeps : groupTexts.misses}</span>
      </td>
      {compact && (
        <td className={classes.more} data-apart>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={groupTexts.more(drawno)}
            tabIndex={-1}
            onClick={() => onDetails(drawno)}
          >
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </td>
      )}
    </tr>
  );
});

interface AmountProps {
  value: number;
  compact: boolean;
  scope?: string;
  strong?: boolean;
}

/** Every bet changes the net of all rows. */
const Amount = memo(function Amount({ value, compact, scope, strong = false }: AmountProps) {
  const text = cellText(value, compact ? COMPACT_FROM.compact : COMPACT_FROM.wide);
  return (
    <td className={classes.cell} data-zero={value === 0 || undefined} data-strong={strong || undefined}>
      {scope !== undefined && <Glow sum={value} scope={scope} />}
      <span className={classes.amount} style={{ '--length': text.length } as CSSProperties}>
        {text}
      </span>
    </td>
  );
});
