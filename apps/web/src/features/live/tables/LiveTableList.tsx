import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import type { Role } from '@drawhouse/contract/core/primitives';
import { Skeleton } from '@mantine/core';
import { LiveTableRow } from './LiveTableRow.tsx';
import { liveTableKey, AS, type TableOrder } from './liveTables.ts';
import { liveTablesTexts } from './liveTablesTexts.ts';
import classes from './LiveTablesPage.module.css';

const COLUMNS = Object.entries(liveTablesTexts.columns);
const RIGHT = new Set(['due', 'collection', 'leaves']);
/** Each column sorts one way. */
const ORDER_OF: Readonly<Record<string, TableOrder>> = {
  due: 'due',
  collection: 'collection',
  leaves: 'worst',
  exposure: 'exposure',
};
const ARIA_SORT = {
  due: 'ascending',
  worst: 'ascending',
  exposure: 'descending',
  collection: 'descending',
} as const satisfies Record<TableOrder, string>;
const SKELETON_ROWS = Array.from({ length: 8 }, (_, index) => index);

interface LiveTableListProps {
  tables: readonly LiveTable[];
  role: Role;
  offset: number;
  dimmed: boolean;
  showsAdmin: boolean;
  order: TableOrder;
  onOrder: (order: TableOrder) => void;
  onAct: (table: LiveTable) => void;
  onPoint: () => void;
}

/** Cards on narrow pages. Rows out of sight skip layout. */
export function LiveTableList(props: LiveTableListProps) {
  const { tables, role, offset, dimmed, showsAdmin, order, onOrder, onAct, onPoint } = props;
  return (
    <div className={classes.frame}>
      <table
        className={classes.table}
        {...AS.table}
        aria-label={liveTablesTexts.title}
        data-dimmed={dimmed || undefined}
        onPointerMove={onPoint}
        onPointerDown={onPoint}
      >
        <thead {...AS.rowgroup} className={classes.head}>
          <tr {...AS.row} className={classes.heads}>
            {COLUMNS.map(([name, label]) => {
              const sorts = ORDER_OF[name];
              return (
                <th
                  key={name}
                  {...AS.columnheader}
                  scope="col"
                  data-column={name}
                  data-align={RIGHT.has(name) ? 'right' : undefined}
                  aria-sort={sorts !== undefined && sorts === order ? ARIA_SORT[sorts] : undefined}
                >
                  {sorts === undefined ? (
                    <span className={name === 'act' ? 'unseen' : undefined}>{label}</span>
                  ) : (
                    <button type="button" className={classes.sort} onClick={() => onOrder(sorts)}>
                      {label}
                      {sorts === order && <span aria-hidden>{ARIA_SORT[sorts] === 'ascending' ? ' ↑' : ' ↓'}</span>}
                    </button>
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody {...AS.rowgroup} className={classes.rows}>
          {tables.map((table) => (
            <LiveTableRow
              key={liveTableKey(table)}
              table={table}
              role={role}
              offset={offset}
              showsAdmin={showsAdmin}
              onAct={onAct}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function TableListSkeleton() {
  return (
    <section className={classes.skeletons} aria-busy aria-label={liveTablesTexts.loadingTables}>
      <Skeleton height={44} radius={8} />
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} height={48} radius={8} />
      ))}
    </section>
  );
}
