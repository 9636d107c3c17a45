import { adminCommission, type AdminCommissionRow } from '@drawhouse/contract/reports/commission';
import { IconArrowLeft, IconFilter, IconReportAnalytics } from '@tabler/icons-react';
import { useCallback, useState, type ReactNode } from 'react';
import { prefetched } from '../../../lib/lazyParts.ts';
import { withSearch } from '../../../lib/paths.ts';
import type { DayRange } from '../../../lib/format/periods.ts';
import { go, usePathname } from '../../../lib/navigation.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { RowAction } from '../../../ui/table/rows/RowActions.tsx';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { Figures } from '../../../ui/mark/Figures.tsx';
import { HeadButton } from '../../../ui/page/PageHeader.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { NameBelow, TwoLines } from '../../../ui/mark/StackedText.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { commissionTexts } from './commissionTexts.ts';
import type { SummaryTarget } from './GameSummaryDialog.tsx';
import classes from './commission.module.css';

const useSummaryDialog = prefetched(() => import('./GameSummaryDialog.tsx'));
const FIGURES = ['totalCommissionPoint', 'totalBetPoint', 'totalWonPoint'] as const;

/** `role` and `id` in the URL select one admin. */
export function AdminCommissionPage() {
  const { role } = useUser();
  const path = usePathname();
  const view = useList(adminCommission, {
    name: 'admincommission',
    queryKey: ['reports', 'admincommission'],
    keptParams: ['id', 'role'],
  });
  const { answer, period, state } = view;
  const summary = useSummary(period.range, state['id']);
  const isOfOne = role === 'superadmin' && state['id'] !== undefined;
  const hrefOf = useCallback(
    ({ adminId }: AdminCommissionRow) => withSearch(path, { ...state, role: 'admin', id: adminId }),
    [path, state],
  );
  const isOfAll = role === 'superadmin' && state['id'] === undefined;

  return (
    <>
      <ListPage
        view={view}
        Periods={PeriodBar}
        title={commissionTexts.title}
        of={isOfOne ? answer?.account.username : undefined}
        rowsName="games"
        rowKey={(row) => `${row.adminId} ${row.gameId}`}
        rowLabel={(row) => `${row.gameName}, ${row.username}`}
        cells={CELLS}
        phone={PHONE}
        actions={(row) => actionsOf(row, summary.ask, isOfAll ? hrefOf(row) : undefined)}
        back={
          isOfOne && (
            <AllAdminsButton onClick={() => go.back(withSearch(path, { ...state, role: undefined, id: undefined }))} />
          )
        }
        action={
          <HeadButton
            name={commissionTexts.gameSummary}
            icon={IconReportAnalytics}
            variant="default"
            onClick={() => summary.ask()}
          />
        }
        empty={commissionTexts.empty}
      >
        {view.error === null && (
          <>
            <Figures
              figures={FIGURES.map((figure) => ({
                name: commissionTexts.summary[figure],
                value: answer?.summary[figure],
              }))}
            />
            <p className={classes.about}>{commissionTexts.about}</p>
          </>
        )}
      </ListPage>
      {summary.dialog}
    </>
  );
}

function actionsOf(row: AdminCommissionRow, ask: Summary['ask'], onlyHref: string | undefined): RowAction[] {
  const summary = {
    id: 'summary',
    label: commissionTexts.gameSummary,
    icon: IconReportAnalytics,
    prominent: true,
    onClick: () => ask(row),
  };
  if (onlyHref === undefined) return [summary];
  const label = commissionTexts.onlyThis(row.username);
  return [summary, { id: 'only', label, icon: IconFilter, prominent: true, href: onlyHref }];
}

function AllAdminsButton({ onClick }: { onClick: () => void }) {
  return <HeadButton name={commissionTexts.allAdmins} icon={IconArrowLeft} variant="default" onClick={onClick} />;
}

interface Summary {
  ask: (game?: AdminCommissionRow) => void;
  dialog: ReactNode;
}

function useSummary(range: DayRange, id: string | undefined): Summary {
  const [asking, setAsking] = useState<{ target: SummaryTarget; times: number; opened: boolean } | null>(null);
  const part = useSummaryDialog(asking !== null);
  const ask = (game?: AdminCommissionRow) => {
    const target = { range, id, ...(game && { game }) };
    setAsking((now) => ({ target, times: (now?.times ?? 0) + 1, opened: true }));
  };
  const dialog = part && asking && (
    <part.GameSummaryDialog
      key={asking.times}
      target={asking.target}
      opened={asking.opened}
      onClose={() => setAsking({ ...asking, opened: false })}
    />
  );
  return { ask, dialog };
}

const PHONE: readonly DataColumn<AdminCommissionRow>[] = [
  {
    id: 'game',
    header: commissionTexts.gameName,
    phoneOnly: true,
    cell: (row) => (
      <NameBelow name={row.username}>
        <ObjectLink about={{ kind: 'game', id: row.gameId, adminId: row.adminId, username: row.username }}>
          {row.gameName}
        </ObjectLink>
      </NameBelow>
    ),
  },
];

const CELLS: Cells<AdminCommissionRow> = { gameName: (row) => <TwoLines text={row.gameName} /> };
