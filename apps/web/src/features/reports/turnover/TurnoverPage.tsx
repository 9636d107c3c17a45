import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import type { TurnoverRow } from '@drawhouse/contract/reports/turnover';
import { IconArrowLeft } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { homePath, pagePath, withSearch } from '../../../lib/paths.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';
import { useGo } from '../../../lib/useGo.ts';
import { useList } from '../../../lib/useList.ts';
import { useUser } from '../../../lib/useSession.ts';
import { Figures } from '../../../ui/Figures.tsx';
import { HeadButton } from '../../../ui/HeadButton.tsx';
import type { Cells } from '../../../ui/listColumns.tsx';
import { ListPage } from '../../../ui/ListPage.tsx';
import { PeriodBar } from '../../../ui/PeriodBar.tsx';
import { PathLink } from '../../../ui/PathLink.tsx';
import { turnoverTexts } from './turnoverTexts.ts';
import { TurnoverChart } from './TurnoverChart.tsx';
import classes from './TurnoverPage.module.css';

const FIGURES = ['totalPlayPoints', 'totalWinPoints', 'endPoint', 'totalCommission', 'net'] as const;

/** The turnover report: what was played below each child of an account, with a way down to its children and up again. */
export function TurnoverPage() {
  const { role } = useUser();
  const go = useGo();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const view = useList(turnoverReport, { name: 'turnover', queryKey: [queryKeys.reports, 'turnover'], kept: ['id'] });
  const { answer, period, state } = view;
  const parents = answer?.parents ?? [];
  const above = parents.at(-2);
  const levels = answer && turnoverTexts.levels[answer.role];
  const title = levels ? `${turnoverTexts.title}: ${levels}` : turnoverTexts.title;

  /** The children of an account, for the days and in the order that show now. */
  const drillHref = (account: { id: string; role: string }) =>
    withSearch(path, {
      role: account.role,
      id: account.id,
      startDate: period.range.from,
      endDate: period.range.to,
      period: period.period,
      sort: state['sort'],
      pageSize: state['pageSize'],
    });

  /** The tickets of a player that were laid in these days. */
  const ticketsHref = (player: TurnoverRow) =>
    withSearch(pagePath(role, 'gamehistory'), {
      userId: player.id,
      startDate: period.range.from,
      endDate: period.range.to,
      period: period.period,
    });
  const rowHref = (row: TurnoverRow) => (row.role === 'user' ? ticketsHref(row) : drillHref(row));

  return (
    <ListPage
      view={view}
      Periods={PeriodBar}
      title={title}
      rowsName={levels?.toLowerCase() ?? 'accounts'}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.username}
      rowHref={rowHref}
      cells={cellsOf(rowHref)}
      back={
        <HeadButton
          name={turnoverTexts.back}
          icon={IconArrowLeft}
          variant="default"
          onClick={() => go.back(above ? drillHref(above) : homePath(role))}
        />
      }
      empty={{
        title: `No ${levels?.toLowerCase() ?? 'accounts'} below ${parents.at(-1)?.username ?? 'this account'}`,
        text: 'Each of them has a row here, with what was played below it in the period.',
      }}
    >
      <nav className={classes.chain} aria-label="Chain of accounts">
        <ol>
          {parents.map((parent, index) => (
            <li key={parent.id}>
              {index === parents.length - 1 ? (
                <span aria-current="page">{parent.username}</span>
              ) : (
                <PathLink href={drillHref(parent)}>{parent.username}</PathLink>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {view.error === null && (
        <>
          <Figures
            figures={FIGURES.map((figure) => ({ name: turnoverTexts.summary[figure], value: answer?.summary[figure] }))}
          />
          <p className={classes.whose}>{turnoverTexts.whose}</p>
          <TurnoverChart
            id={state['id']}
            range={period.range}
            onRange={({ from, to }) => view.change({ period: undefined, startDate: from, endDate: to })}
          />
        </>
      )}
    </ListPage>
  );
}

/** A name leads one level down, that of a player to its tickets. */
function cellsOf(hrefOf: (row: TurnoverRow) => string): Cells<TurnoverRow> {
  return {
    username: (row) => (
      <PathLink href={hrefOf(row)} title={row.username}>
        {row.username}
      </PathLink>
    ),
  };
}
