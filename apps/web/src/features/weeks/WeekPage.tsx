import { weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import type { WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { IconUser } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { useList } from '../../lib/list/useList.ts';
import { go, usePathname, useSearch } from '../../lib/navigation.ts';
import { pagePath, withSearch } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useUser } from '../../lib/session/session.ts';
import { HeadButton } from '../../ui/page/HeadButton.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { AccountWeekPage } from './AccountWeekPage.tsx';
import { figureLinks } from './figureLinks.tsx';
import { WeekSteps } from './WeekSteps.tsx';
import classes from './weeks.module.css';
import { weeksTexts } from './weeksTexts.ts';

/** The sheet of a manager, or with `account` the days of one account. */
export function WeekPage() {
  return useSearch()['account'] === undefined ? <SheetPage /> : <AccountWeekPage />;
}

function SheetPage() {
  const { role, _id } = useUser();
  const path = usePathname();
  const view = useList(weekSheet, {
    name: 'week',
    queryKey: [queryKeys.reports, 'week'],
    keptParams: ['id', 'day'],
  });
  const { answer, state } = view;
  const { day } = state;
  const parent = answer?.parents.at(-1);
  const range = answer?.week;
  const hrefOf = useCallback((row: WeekSheetRow) => withSearch(path, { account: row.id, day }), [path, day]);
  const turnover = withSearch(pagePath(role, 'turnoverreport'), {
    id: parent?.id,
    role: parent?.role,
    startDate: range?.from,
    endDate: range?.to,
  });
  const cells = useMemo(() => cellsOf(hrefOf, turnover), [hrefOf, turnover]);

  return (
    <ListPage
      view={view}
      title={weeksTexts.title}
      of={state['id'] === undefined ? undefined : parent?.username}
      rowsName="accounts"
      rowKey={(row) => row.id}
      rowLabel={(row) => row.username}
      rowHref={hrefOf}
      cells={cells}
      back={
        role !== 'superadmin' &&
        state['id'] === undefined && (
          <HeadButton
            name={weeksTexts.own}
            icon={IconUser}
            variant="default"
            onClick={() => go.to(withSearch(path, { account: _id, day }))}
          />
        )
      }
      controls={<WeekSteps week={range} onDay={(next) => view.change({ day: next })} />}
      empty={weeksTexts.empty}
    >
      <p className={classes.about}>{weeksTexts.about}</p>
    </ListPage>
  );
}

function cellsOf(hrefOf: (row: WeekSheetRow) => string, turnover: string): Cells<WeekSheetRow> {
  return {
    username: (row) => (
      <PathLink href={hrefOf(row)} title={row.username}>
        {row.username}
      </PathLink>
    ),
    ...figureLinks(['given', 'taken', 'balance'], hrefOf),
    ...figureLinks(['play', 'win', 'commission', 'net'], () => turnover),
  };
}
