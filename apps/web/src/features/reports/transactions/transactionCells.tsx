import { TRANSACTION_STATUS } from '@drawhouse/contract/reports/transactions';
import type { Transaction } from '@drawhouse/contract/reports/transactions';
import { ROLES } from '@drawhouse/contract/core/primitives';
import type { Role } from '@drawhouse/contract/core/primitives';
import { detailsPath, pagePath, withSearch } from '../../../lib/paths.ts';
import type { DataColumn } from '../../../ui/table/dataColumn.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/listColumns.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { TwoLines } from '../../../ui/mark/StackedText.tsx';
import { transactionTexts } from '../reportTexts.ts';
import classes from './transactions.module.css';

/** Characters at both ends of an id. Title and exports have it in full. */
const ID_SHOWN = 12;

export function transactionCells(viewer: Role): Cells<Transaction> {
  return {
    transactionId: (row) => (
      <span className={classes.id} title={row._id}>
        {row._id.slice(-ID_SHOWN)}
      </span>
    ),
    user: (row) => <Side viewer={viewer} side={row.user} />,
    recipient: (row) => <Side viewer={viewer} side={row.recipient} />,
    credit: (row) => (row.credit === 0 ? null : <Points value={row.credit} />),
    debit: (row) => (row.debit === 0 ? null : <Points value={row.debit} />),
    message: (row) => <Message viewer={viewer} row={row} />,
    status: (row) => <StatusBadge tone="good">{TRANSACTION_STATUS[row.status]}</StatusBadge>,
  };
}

export function phoneColumns(viewer: Role): readonly DataColumn<Transaction>[] {
  return [
    {
      id: 'transfer',
      header: transactionTexts.phone.transfer,
      cell: (row) => (
        <span className={classes.twoLines}>
          <TwoLines text={`${row.user.name} → ${row.recipient.name}`} />
          <span className={classes.muted}>
            <Message viewer={viewer} row={row} />
          </span>
        </span>
      ),
      phoneOnly: true,
    },
    {
      id: 'amount',
      header: transactionTexts.phone.amount,
      cell: (row) => (
        <span className={classes.twoLines}>
          <Points value={row.credit || -row.debit} />
          <span className={classes.muted}>
            <DateTime value={row.createdAt} relative />
          </span>
        </span>
      ),
      align: 'right',
      phoneOnly: true,
    },
  ];
}

/** Links only accounts that the viewer manages. */
function Side({ viewer, side: { name, id, role } }: { viewer: Role; side: Transaction['user'] }) {
  const isBelow = id !== null && role !== null && ROLES.indexOf(role) > ROLES.indexOf(viewer);
  return isBelow ? (
    <PathLink href={detailsPath(viewer, role, id)}>
      <TwoLines text={name} />
    </PathLink>
  ) : (
    <TwoLines text={name} />
  );
}

function Message({ viewer, row: { message, ticketId } }: { viewer: Role; row: Transaction }) {
  const at = ticketId === null ? -1 : message.indexOf(ticketId);
  if (ticketId === null || at < 0) return <TwoLines text={message} />;
  return (
    <TwoLines text={message}>
      {message.slice(0, at)}
      <PathLink className={classes.ticket} href={withSearch(pagePath(viewer, 'gamehistory'), { ticket: ticketId })}>
        {ticketId}
      </PathLink>
      {message.slice(at + ticketId.length)}
    </TwoLines>
  );
}
