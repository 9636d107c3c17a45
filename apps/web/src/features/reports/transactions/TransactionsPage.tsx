import { useSearch } from '../../../lib/navigation.ts';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { transactionReport } from '@drawhouse/contract/reports/transactions';
import { Button } from '@mantine/core';
import { instantsOf, readDay, useToday } from '../../../lib/format/periods.ts';
import { useList } from '../../../lib/list/useList.ts';
import { AccountPicker } from '../../../ui/filter/AccountPicker.tsx';
import { ClearedNote, ServerDaysNote } from '../../../ui/page/Notes.tsx';
import { DayInput } from '../../../ui/filter/DayInput.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { phoneColumns, transactionCells } from './transactionCells.tsx';
import { transactionTexts } from '../reportTexts.ts';
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
