import { STATEMENT_KINDS, type Movement } from '@drawhouse/contract/credit/credit';
import { aboutAccount } from '@drawhouse/contract/credit/statement';
import { addPoints } from '../../../lib/format/format.ts';
import { commonTexts } from '../../../commonTexts.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import classes from './statementCells.module.css';

const { phone, system } = commonTexts.statement;

export const statementCells: Cells<Movement> = {
  at: (row) => <DateTime value={row.at} seconds />,
  // Ticket movements have no note.
  note: (row) =>
    row.ticket === null ? (
      <span title={row.note ?? ''}>{row.note}</span>
    ) : (
      <span className={classes.ticket}>{row.ticket}</span>
    ),
  actor: (row) => row.actor ?? (row.kind === 'cleared' ? null : <span className={classes.muted}>{system}</span>),
  credit: (row) => amountOf(row.credit),
  debit: (row) => amountOf(row.debit),
};

export const phoneColumns: readonly DataColumn<Movement>[] = [
  {
    id: 'movement',
    header: phone.movement,
    cell: (row) => (
      <span className={classes.twoLines}>
        <ObjectLink about={aboutAccount(row.counterpartId, row.counterpartRole)}>{row.counterpart}</ObjectLink>
        <span className={classes.muted}>
          {STATEMENT_KINDS[row.kind]}
          {row.ticket !== null && ` · ${row.ticket}`}
        </span>
      </span>
    ),
    phoneOnly: true,
  },
  {
    id: 'amount',
    header: phone.amount,
    cell: (row) => (
      <span className={classes.twoLines}>
        <Points value={addPoints(row.credit, -row.debit)} />
        <span className={classes.muted}>
          <DateTime value={row.at} relative />
        </span>
      </span>
    ),
    align: 'right',
    phoneOnly: true,
  },
];

/** Rows of cleared history may have both sides. */
function amountOf(points: number) {
  return points === 0 ? null : <Points value={points} />;
}
