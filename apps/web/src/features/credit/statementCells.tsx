import { STATEMENT_KINDS } from '@drawhouse/contract/credit/credit';
import type { Movement } from '@drawhouse/contract/credit/credit';
import { ROLES } from '@drawhouse/contract/core/primitives';
import type { Role } from '@drawhouse/contract/core/primitives';
import { formatExactTime, formatSecond, addPoints } from '../../lib/format/format.ts';
import { detailsPath, pagePath, withSearch } from '../../lib/paths.ts';
import { commonTexts } from '../../commonTexts.ts';
import type { DataColumn } from '../../ui/table/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import type { Cells } from '../../ui/table/listColumns.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import classes from './statementCells.module.css';

const { phone, system } = commonTexts.statement;

/** Null without a counterpart, or if the viewer does not manage it. */
export function counterpartHref(viewer: Role, movement: Movement): string | null {
  const { counterpartId, counterpartRole } = movement;
  if (counterpartId === null || counterpartRole === null) return null;
  return ROLES.indexOf(counterpartRole) > ROLES.indexOf(viewer)
    ? detailsPath(viewer, counterpartRole, counterpartId)
    : null;
}

/** Null without a ticket. */
export function ticketHref(viewer: Role, { ticket }: Movement): string | null {
  return ticket === null ? null : withSearch(pagePath(viewer, 'gamehistory'), { ticket });
}

export function statementCells(viewer: Role): Cells<Movement> {
  return {
    at: (row) => (
      <time dateTime={row.at} title={formatExactTime(row.at)} className={classes.time}>
        {formatSecond(row.at)}
      </time>
    ),
    // Ticket movements have no note.
    note: (row) => {
      const href = ticketHref(viewer, row);
      return href === null ? (
        <span title={row.note ?? ''}>{row.note}</span>
      ) : (
        <PathLink href={href} className={classes.ticket}>
          {row.ticket}
        </PathLink>
      );
    },
    counterpart: (row) => <span title={row.counterpart}>{counterpartOf(viewer, row)}</span>,
    actor: (row) => row.actor ?? (row.kind === 'cleared' ? null : <span className={classes.muted}>{system}</span>),
    credit: (row) => amountOf(row.credit),
    debit: (row) => amountOf(row.debit),
  };
}

export function phoneColumns(viewer: Role): readonly DataColumn<Movement>[] {
  return [
    {
      id: 'movement',
      header: phone.movement,
      cell: (row) => (
        <span className={classes.twoLines}>
          <span>{counterpartOf(viewer, row)}</span>
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
}

function counterpartOf(viewer: Role, row: Movement) {
  const href = counterpartHref(viewer, row);
  return href === null ? row.counterpart : <PathLink href={href}>{row.counterpart}</PathLink>;
}

/** Zero stays empty. Rows of cleared history may have both sides. */
function amountOf(points: number) {
  return points === 0 ? null : <Points value={points} />;
}
