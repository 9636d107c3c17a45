import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { useMemo } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { panelPath } from '../../../lib/paths.ts';
import { PathLink } from '../../../ui/PathLink.tsx';
import { Points } from '../../../ui/Points.tsx';
import { sumLiveTables } from './liveTables.ts';
import { liveTablesTexts } from './liveTablesTexts.ts';
import classes from './LiveTablesPage.module.css';

/** What the tables that are shown come to together. */
export function LiveTableSums({ tables, role }: { tables: readonly LiveTable[]; role: Role }) {
  const { tables: count, awaited, collection, worst } = useMemo(() => sumLiveTables(tables), [tables]);
  return (
    <dl className={classes.sums}>
      <div>
        <dt>{liveTablesTexts.sums.tables}</dt>
        <dd>{formatCount(count)}</dd>
      </div>
      <div data-urgent={awaited > 0 || undefined}>
        <dt>{liveTablesTexts.sums.awaited}</dt>
        <dd>{formatCount(awaited)}</dd>
      </div>
      <div>
        <dt>{liveTablesTexts.sums.collection}</dt>
        <dd>
          <Points value={collection} inline />
        </dd>
      </div>
      <div>
        <dt>{liveTablesTexts.sums.worst}</dt>
        <dd>
          {worst === null ? (
            '–'
          ) : (
            <>
              <Points value={worst.leaves} inline />{' '}
              <PathLink href={panelPath(role, worst.table.gameId, worst.table.adminId, worst.table.username)}>
                {worst.table.gameName} <span className={classes.muted}>{worst.table.username}</span>
              </PathLink>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}
