import type { Role } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { weekDays, type WeekDayRow } from '@drawhouse/contract/weeks/week-sheet';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useList } from '../../lib/list/useList.ts';
import { formatCalendarDay, formatDateTime, formatWeekday } from '../../lib/format/format.ts';
import { go, usePathname, useSearch } from '../../lib/navigation.ts';
import { pagePath, withSearch } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { HeadButton } from '../../ui/page/PageHeader.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { figureLinks } from './figureLinks.tsx';
import { WeekSteps } from './WeekSteps.tsx';
import classes from './weeks.module.css';
import { WeekNotes } from './WeekNotes.tsx';
import { settleTexts, weeksTexts } from './weeksTexts.ts';

export function AccountWeekPage() {
  const { role } = useUser();
  const path = usePathname();
  const id = useSearch()['account'];
  const view = useList(weekDays, {
    name: 'weekdays',
    queryKey: ['reports', 'weekdays'],
    keptParams: ['day'],
    fixedParams: { id: typeof id === 'string' ? id : undefined },
  });
  const { answer, state } = view;
  const { account, parent, sheet } = answer ?? {};
  const cells = useMemo(() => cellsOf(role, account), [role, account]);

  return (
    <>
      <div className={classes.days}>
        <ListPage
          view={view}
          title={weeksTexts.ofAccount}
          of={account?.username}
          rowsName="days"
          rowKey={(row) => row.day}
          rowLabel={(row) => formatCalendarDay(row.day)}
          cells={cells}
          numbered={false}
          back={
            <HeadButton
              name={weeksTexts.sheet}
              icon={IconArrowLeft}
              variant="default"
              onClick={() => go.back(withSearch(path, { day: state['day'] }))}
            />
          }
          controls={
            <WeekSteps week={answer?.week} onDay={(day) => go.to(withSearch(path, { account: account?.id, day }))} />
          }
          empty={weeksTexts.emptyDays}
        >
          <p className={classes.about}>
            {answer && <b className={classes.onPaper}>{weeksTexts.range(answer.week.from, answer.week.to)}. </b>}
            {account && !parent && weeksTexts.noParent}
            {account && parent && sheet && (
              <>
                <b>{weeksTexts.balanceOf(account.username, parent.username, sheet.balance)}</b>{' '}
                {weeksTexts.carried(sheet.carried)} {sheet.late !== 0 && weeksTexts.late(sheet.late)}{' '}
                {weeksTexts.terms(sheet.terms)} {sheet.since === null && weeksTexts.notBegun}{' '}
                {sheet.closed && settleTexts.closedAt(formatDateTime(sheet.closed.at), sheet.closed.by)}
              </>
            )}
          </p>
        </ListPage>
      </div>
      {account && parent && (
        <div className={classes.signatures}>
          {[parent.username, account.username].map((name) => (
            <p key={name}>{weeksTexts.signature(name)}</p>
          ))}
        </div>
      )}
      {account && sheet && answer && (
        <WeekNotes
          key={`${account.id} ${answer.week.from}`}
          accountId={account.id}
          day={answer.week.from}
          sheet={sheet}
        />
      )}
    </>
  );
}

type Account = RouteAnswer<(typeof weekDays)['route']>['account'];

function cellsOf(viewer: Role, account: Account | undefined): Cells<WeekDayRow> {
  const { id, role } = account ?? {};
  const transactions = (day: string, type: string) =>
    withSearch(pagePath(viewer, 'transactionreport'), { id, date: day, type });
  const play = ({ day }: WeekDayRow) => {
    const days = { startDate: day, endDate: day };
    return role === 'user'
      ? withSearch(pagePath(viewer, 'gamehistory'), { userId: id, ...days })
      : withSearch(pagePath(viewer, 'turnoverreport'), { id, role, ...days });
  };
  return {
    day: ({ day }) => formatWeekday(day),
    ...figureLinks(['given'], ({ day }) => transactions(day, 'credit')),
    ...figureLinks(['taken'], ({ day }) => transactions(day, 'debit')),
    ...figureLinks(['received', 'paid'], ({ day }) =>
      withSearch(pagePath(viewer, 'payments'), { accountId: id, atFrom: day, atTo: day }),
    ),
    ...figureLinks(['play', 'win', 'commission', 'net'], play),
  };
}
