import { TRANSACTION_STATUS } from '@drawhouse/contract/reports/transactions';
import type { Transaction } from '@drawhouse/contract/reports/transactions';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { TwoLines } from '../../../ui/mark/StackedText.tsx';
import { transactionTexts } from '../reportTexts.ts';
import classes from './transactions.module.css';

/** Characters at both ends. Title and exports have all of it. */
const ID_SHOWN = 12;

export const transactionCells: Cells<Transaction> = {
  transactionId: (row) => (
    <span className={classes.id} title={row._id}>
      {row._id.slice(-ID_SHOWN)}
    </span>
  ),
  user: (row) => <TwoLines text={row.user.name} />,
  recipient: (row) => <TwoLines text={row.recipient.name} />,
  credit: (row) => (row.credit === 0 ? null : <Points value={row.credit} />),
  debit: (row) => (row.debit === 0 ? null : <Points value={row.debit} />),
  message: (row) => <Message row={row} />,
  status: (row) => <StatusBadge tone="good">{TRANSACTION_STATUS[row.status]}</StatusBadge>,
};

export const phoneColumns: readonly DataColumn<Transaction>[] = [
  {
    id: 'transfer',
    header: transactionTexts.phone.transfer,
    cell: (row) => (
      <span className={classes.twoLines}>
        <ObjectLink about={{ kind: 'transaction', id: row._id }}>
          <TwoLines text={`${row.user.name} → ${row.recipient.name}`} />
        </ObjectLink>
        <span className={classes.muted}>
          <Message row={row} />
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

function Message({ row: { message, ticketId } }: { row: Transaction }) {
  const at = ticketId === null ? -1 : message.indexOf(ticketId);
  if (ticketId === null || at < 0) return <TwoLines text={message} />;
  return (
    <TwoLines text={message}>
      {message.slice(0, at)}
      <ObjectLink className={classes.ticket} about={{ kind: 'ticket', id: ticketId }}>
        {ticketId}
      </ObjectLink>
      {message.slice(at + ticketId.length)}
    </TwoLines>
  );
}
