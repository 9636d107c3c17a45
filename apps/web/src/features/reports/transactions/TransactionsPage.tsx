import { addDays } from '@drawhouse/rules/time/zone-days';
import {
  splitAtTicket,
  transactionReport,
  TRANSACTION_STATUS,
  type Transaction,
} from '@drawhouse/contract/reports/transactions';
import { Button } from '@mantine/core';
import { useSearch } from '../../../lib/navigation.ts';
import { instantsOf, readDay, useToday } from '../../../lib/format/periods.ts';
import { useList } from '../../../lib/list/useList.ts';
import { AccountPicker } from '../../../ui/filter/AccountPicker.tsx';
import { ClearedNote, ServerDaysNote } from '../../../ui/page/Notes.tsx';
import { DayInput } from '../../../ui/filter/DayInput.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { transactionTexts } from '../reportTexts.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { TwoLines } from '../../../ui/mark/StackedText.tsx';
import classes from './transactions.module.css';

/** One day is always selected, beside the filters. */
const LIST = {
  ...transactionReport,
  filters: transactionReport.filters.filter(({ kind }) => kind !== 'day'),
} as typeof transactionReport;

export function TransactionsPage() {
  const today = useToday();
  const { date } = useSearch();
  const day = readDay(date) ?? today;
  const view = useList(LIST, {
    name: 'transactions',
    queryKey: ['reports', 'transactions'],
    keptParams: ['id', 'date'],
    fixedParams: instantsOf({ from: day, to: day }),
  });
  const account = view.answer?.account;
  const chosen = view.state['id'] !== undefined && account?.id === view.state['id'] ? account : null;
  const toDay = (next: string) => view.change({ date: next === '' || next === today ? undefined : next });

  return (
    <ListPage
      view={view}
      title={transactionTexts.title}
      rowsName="transfers"
      numbered
      rowKey={(row) => row._id}
      rowLabel={(row) => row.message}
      cells={transactionCells}
      phone={phoneColumns}
      controls={
        <>
          <DayInput
            aria-label={transactionTexts.date}
            w={160}
            value={day}
            maxDate={today}
            clearable={day !== today}
            onChange={toDay}
          />
          <ServerDaysNote />
          <AccountPicker
            label={transactionTexts.user}
            key={chosen?.id ?? ''}
            user={chosen && { _id: chosen.id, username: chosen.username, role: chosen.role }}
            onChange={(id) => view.change({ id })}
          />
        </>
      }
      empty={{
        ...transactionTexts.empty,
        action: (
          <Button variant="default" onClick={() => toDay(addDays(day, -1))}>
            {transactionTexts.yesterday}
          </Button>
        ),
      }}
    >
      <p className={classes.about}>
        {chosen ? transactionTexts.sideOf(chosen.username) : transactionTexts.sideOfLower}
      </p>
      <ClearedNote text={view.answer?.cleared} />
    </ListPage>
  );
}

/** Characters at both ends. Title and exports have all of it. */
const ID_SHOWN = 12;

const transactionCells: Cells<Transaction> = {
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
  status: (row) => (
    <StatusBadge tone={row.status === 'completed' ? 'good' : 'warn'}>{TRANSACTION_STATUS[row.status]}</StatusBadge>
  ),
};

const phoneColumns: readonly DataColumn<Transaction>[] = [
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

function Message({ row }: { row: Transaction }) {
  const { message, ticketId } = row;
  const parts = splitAtTicket(row);
  if (ticketId === null || parts === null) return <TwoLines text={message} />;
  return (
    <span className={classes.message} title={message}>
      <span>{parts.what}</span>
      <span className={classes.onGame}>{parts.onGame}</span>
      <ObjectLink className={classes.ticket} about={{ kind: 'ticket', id: ticketId }}>
        {ticketId}
      </ObjectLink>
      <span>{parts.after}</span>
    </span>
  );
}
