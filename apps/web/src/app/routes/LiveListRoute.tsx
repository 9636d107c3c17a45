import type { LivePair } from '@drawhouse/contract/live-pairs';
import type { Role } from '@drawhouse/contract/primitives';
import { Button } from '@mantine/core';
import { lazy, Suspense, useMemo, useState } from 'react';
import { DEFAULT_PAGE_SIZE } from '../../lib/listUrl.ts';
import { panelPath } from '../../lib/paths.ts';
import { useUser } from '../../lib/useSession.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { pairKey, searchPairs } from '../livePairs.ts';
import { useLivePairs } from '../useLivePairs.ts';

const GamesReturns = lazy(async () => ({
  default: (await import('../../features/games/GamesReturns.tsx')).GamesReturns,
}));

const TITLE = 'Live Result';
/** The order in which the server answers. */
const SERVER_ORDER = { id: 'game', desc: false };

/** The live panels that the signed-in account may open, one row for each game and admin. */
export function LiveListRoute() {
  const { role } = useUser();
  const { pairs, error, retry } = useLivePairs();
  const [search, setSearch] = useState('');
  const rows = useMemo(() => pairs && searchPairs(pairs, search), [pairs, search]);
  const columns = useMemo(() => columnsFor(role), [role]);

  return (
    <>
      <PageHeader
        title={TITLE}
        action={
          <Suspense>
            <GamesReturns />
          </Suspense>
        }
      >
        <SearchField label="Search by game or admin" value={search} onChange={setSearch} width={310} />
      </PageHeader>
      <DataTable
        label={TITLE}
        rows={rows}
        columns={columns}
        rowKey={pairKey}
        rowLabel={(pair) => `${pair.gameName} ${pair.username}`}
        rowHref={(pair) => panelPath(role, pair.gameId, pair.adminId, pair.username)}
        numbered
        sort={SERVER_ORDER}
        pageSize={DEFAULT_PAGE_SIZE}
        error={error}
        onRetry={retry}
        empty={
          search === '' ? (
            <EmptyState
              title="No games yet"
              text="The panel of each game stands here as soon as an admin is given one."
            />
          ) : (
            <EmptyState
              title="Nothing matches"
              text="No live panel fits this search."
              action={
                <Button variant="default" onClick={() => setSearch('')}>
                  Clear the search
                </Button>
              }
            />
          )
        }
      />
    </>
  );
}

function columnsFor(role: Role): readonly DataColumn<LivePair>[] {
  return [
    {
      id: 'game',
      header: 'Game',
      accessor: (pair) => pair.gameName,
      cell: (pair) => (
        <PathLink href={panelPath(role, pair.gameId, pair.adminId, pair.username)}>{pair.gameName}</PathLink>
      ),
      sortable: true,
      priority: true,
    },
    { id: 'admin', header: 'Admin', accessor: (pair) => pair.username, sortable: true, priority: true },
  ];
}
