import { liabilityReport } from '@drawhouse/contract/liability/liability';
import type { LiabilityRow, LiabilityFigure } from '@drawhouse/contract/liability/liability';
import { IconArrowLeft } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { withSearch } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useNavigation } from '../../lib/navigation.ts';
import { useList } from '../../lib/list/useList.ts';
import { Figures } from '../../ui/mark/Figures.tsx';
import type { Cells } from '../../ui/table/listColumns.tsx';
import { HeadButton } from '../../ui/page/HeadButton.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { AuditVerdicts } from './AuditVerdicts.tsx';
import { LiabilityHistory } from './LiabilityHistory.tsx';
import classes from './liability.module.css';

export function LiabilityPage() {
  const go = useNavigation();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const view = useList(liabilityReport, {
    name: 'liability',
    queryKey: [queryKeys.reports, 'liability'],
    kept: ['id'],
  });
  const { answer, rows, state } = view;
  const id = state['id'];
  const cells = useMemo((): Cells<LiabilityRow> => {
    const nameCell = (row: LiabilityRow) => (
      <PathLink href={withSearch(path, { id: row.id })} title={row.username}>
        {row.username}
      </PathLink>
    );
    return { username: nameCell };
  }, [path]);
  const chosen = id === undefined ? undefined : rows?.find((row) => row.id === id)?.username;
  const isSearched = state['search'] !== undefined;

  return (
    <ListPage
      view={view}
      title="Liability"
      of={chosen}
      rowsName="networks"
      rowKey={(row) => row.id}
      rowLabel={(row) => row.username}
      rowHref={(row) => withSearch(path, { id: row.id })}
      cells={cells}
      back={
        id !== undefined && (
          <HeadButton name="All networks" icon={IconArrowLeft} variant="default" onClick={() => go.back(path)} />
        )
      }
      empty={{ title: 'No networks yet', text: 'Each admin’s network is listed here with the credit it holds.' }}
    >
      {view.error === null && (
        <>
          <AuditVerdicts audits={answer?.audits} />
          <Figures
            figures={liabilityTexts.figures.map(([figure, name]) => ({ name, value: answer?.totals[figure] }))}
          />
          <p className={classes.meaning}>{liabilityTexts.meaning}</p>
          <LiabilityHistory id={id} now={isSearched ? undefined : answer?.totals} />
        </>
      )}
    </ListPage>
  );
}

const liabilityTexts = {
  figures: [
    ['owedToPlayers', 'Owed to players'],
    ['commission', 'Unpaid commission'],
    ['staffCredit', 'Credit of levels'],
    ['tables', 'Game balances'],
    ['inAll', 'Total'],
  ] satisfies readonly (readonly [LiabilityFigure, string])[],
  meaning:
    'Owed to players: their credit, stakes not drawn yet and unclaimed wins. Unpaid commission: earned by the levels, not paid yet. ' +
    'Credit of levels: held by the admin and everyone between it and the players. Game balances: the ' +
    'house’s own; below zero the house owes.',
} as const;
