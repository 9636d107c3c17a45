import { TRANSFER_KINDS } from '@drawhouse/contract/credit';
import type { Movement } from '@drawhouse/contract/credit';
import { ROLES } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { detailsPath } from '../../lib/paths.ts';
import { messages } from '../../messages.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { Points } from '../../ui/Points.tsx';
import classes from './statementColumns.module.css';

const { columns: names, system } = messages.statement;

/** The page of the account on the other side; null where there is none, or none that the viewer manages. */
export function counterpartHref(viewer: Role, movement: Movement): string | null {
  const { counterpartId, counterpartRole } = movement;
  if (counterpartId === null || counterpartRole === null) return null;
  return ROLES.indexOf(counterpartRole) > ROLES.indexOf(viewer)
    ? detailsPath(viewer, counterpartRole, counterpartId)
    : null;
}

/** The columns of a statement, as a viewer of a role sees them. */
export function statementColumns(viewer: Role): readonly DataColumn<Movement>[] {
  const counterpart = (row: Movement) => {
    const href = counterpartHref(viewer, row);
    return href === null ? row.counterpart : <PathLink href={href}>{row.counterpart}</PathLink>;
  };
  return [
    {
      id: 'movement',
      header: names.movement,
      cell: (row) => (
        <span className={classes.twoLines}>
          <span>{counterpart(row)}</span>
          <span className={classes.muted}>{TRANSFER_KINDS[row.kind]}</span>
        </span>
      ),
      phoneOnly: true,
    },
    {
      id: 'amount',
      header: names.amount,
      cell: (row) => (
        <span className={classes.twoLines}>
          <Points value={row.credit || -row.debit} />
          <span className={classes.muted}>
            <DateTime value={row.at} relative />
          </span>
        </span>
      ),
      align: 'right',
      phoneOnly: true,
    },
    { id: 'at', header: names.at, cell: (row) => <DateTime value={row.at} />, width: 150 },
    { id: 'kind', header: names.type, accessor: (row) => TRANSFER_KINDS[row.kind], width: 150, yields: 2 },
    {
      id: 'counterpart',
      header: names.counterpart,
      cell: (row) => <span title={row.counterpart}>{counterpart(row)}</span>,
      width: 136,
      yields: 1,
    },
    {
      id: 'note',
      header: names.note,
      cell: (row) => (row.note ? <span title={row.note}>{row.note}</span> : null),
      yields: 3,
    },
    {
      id: 'actor',
      header: names.actor,
      cell: (row) => row.actor ?? <span className={classes.muted}>{system}</span>,
      width: 130,
      yields: 4,
    },
    { id: 'credit', header: names.credit, cell: (row) => amountOf(row.credit), align: 'right', width: 128 },
    { id: 'debit', header: names.debit, cell: (row) => amountOf(row.debit), align: 'right', width: 128 },
    {
      id: 'balance',
      header: names.balance,
      cell: (row) => <Points value={row.balance} />,
      align: 'right',
      width: 130,
    },
  ];
}

/** Each movement is on one side only; the other side stays empty. */
function amountOf(points: number) {
  return points === 0 ? null : <Points value={points} />;
}
