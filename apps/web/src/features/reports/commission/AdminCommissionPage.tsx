import { adminCommission } from '@drawhouse/contract/reports/commission';
import type { AdminCommissionRow } from '@drawhouse/contract/reports/commission';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconReportAnalytics } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { prefetched } from '../../../lib/lazyParts.ts';
import { withSearch } from '../../../lib/paths.ts';
import type { DayRange } from '../../../lib/format/periods.ts';
import { queryKeys } from '../../../lib/server/queryKeys.ts';
import { useNavigation } from '../../../lib/navigation.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import type { DataColumn } from '../../../ui/table/dataColumn.ts';
import { Figures } from '../../../ui/mark/Figures.tsx';
import { HeadButton } from '../../../ui/page/HeadButton.tsx';
import type { Cells } from '../../../ui/table/listColumns.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { NameBelow, TwoLines } from '../../../ui/mark/StackedText.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { commissionTexts } from './commissionTexts.ts';
import type { SummaryAsked } from './GameSummaryDialog.tsx';
import classes from './commission.module.css';

const useSummaryDialog = prefetched(() => import('./GameSummaryDialog.tsx'));
const FIGURES = ['totalCommissionPoint', 'totalBetPoint', 'totalWonPoint'] as const;

/** `role` and `id` in the URL select one admin. */
export function AdminCommissionPage() {
  const { role } = useUser();
  const go = useNavigation();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const view = useList(adminCommission, {
    name: 'admincommission',
    queryKey: [queryKeys.reports, 'admincommission'],
    kept: ['id', 'role'],
  });
  const { answer, period, state } = view;
  const summary = useSummary(period.range, state['id']);
  const isOfOne = role === 'superadmin' && state['id'] !== undefined;
  const hrefOf = useCallback(
    ({ adminId }: AdminCommissionRow) => withSearch(path, { ...state, role: 'admin', id: adminId }),
    [path, state],
  );
  const cells = useMemo(
    () => (role === 'superadmin' && state['id'] === undefined ? { ...CELLS, ...cellsOf(hrefOf) } : CELLS),
    [role, state, hrefOf],
  );

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
        cells={cells}
        phone={PHONE}
        actions={(row) => [
          {
            id: 'summary',
            label: commissionTexts.gameSummary,
            icon: IconReportAnalytics,
            prominent: true,
            onClick: () => summary.ask(row),
          },
        ]}
        back={
          isOfOne && (
            <AllAdminsButton onClick={() => go.back(withSearch(path, { ...state, role: undefined, id: undefined }))} />
          )
        }
        controls={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconReportAnalytics size={16} aria-hidden />}
            onClick={() => summary.ask()}
          >
            {commissionTexts.gameSummary}
          </Button>
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

function AllAdminsButton({ onClick }: { onClick: () => void }) {
  return <HeadButton name={commissionTexts.allAdmins} icon={IconArrowLeft} variant="default" onClick={onClick} />;
}

interface Summary {
  ask: (game?: AdminCommissionRow) => void;
  dialog: ReactNode;
}

function useSummary(range: DayRange, id: string | undefined): Summary {
  const [asking, setAsking] = useState<{ asked: SummaryAsked; times: number; opened: boolean } | null>(null);
  const part = useSummaryDialog(asking !== null);
  const ask = (game?: AdminCommissionRow) => {
    const asked = { range, id, ...(game && { game }) };
    setAsking((now) => ({ asked, times: (now?.times ?? 0) + 1, opened: true }));
  };
  const dialog = part && asking && (
    <part.GameSummaryDialog
      key={asking.times}
      asked={asking.asked}
      opened={asking.opened}
      onClose={() => setAsking({ ...asking, opened: false })}
    />
  );
  return { ask, dialog };
}

const PHONE: readonly DataColumn<AdminCommissionRow>[] = [
  {
    id: 'game',
    header: 'Game Name',
    phoneOnly: true,
    cell: (row) => <NameBelow name={row.username}>{row.gameName}</NameBelow>,
  },
];

const CELLS: Cells<AdminCommissionRow> = { gameName: (row) => <TwoLines text={row.gameName} /> };

function cellsOf(hrefOf: (row: AdminCommissionRow) => string): Cells<AdminCommissionRow> {
  return {
    username: (row) => (
      <PathLink href={hrefOf(row)} title={row.username}>
        {row.username}
      </PathLink>
    ),
  };
}
