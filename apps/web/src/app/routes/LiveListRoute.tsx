import type { AdminGame } from '@drawhouse/contract/games';
import type { Role } from '@drawhouse/contract/primitives';
import { useMemo } from 'react';
import { panelPath } from '../../lib/paths.ts';
import { useUser } from '../../lib/useSession.ts';
import type { DataColumn } from '../../ui/dataColumn.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { useLivePairs } from '../useLivePairs.ts';

const TITLE = 'Live Result';

/** The live panels that the signed-in account may open, one row for each game and admin. */
export function LiveListRoute() {
  const { role } = useUser();
  const { pairs, error, retry } = useLivePairs();
  const columns = useMemo(() => columnsFor(role), [role]);

  return (
    <>
      <PageHeader title={TITLE} />
      <DataTable
        label={TITLE}
        rows={pairs}
        columns={columns}
        rowKey={(pair) => pair._id}
        rowLabel={(pair) => `${pair.gameName} ${pair.username}`}
        numbered
        error={error}
        onRetry={retry}
        empty={
          <EmptyState
            title="No games yet"
            text="The panel of each game stands here as soon as an admin is given one."
          />
        }
      />
    </>
  );
}

function columnsFor(role: Role): readonly DataColumn<AdminGame>[] {
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
