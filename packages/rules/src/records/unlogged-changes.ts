import { LOGGED_TABLES } from './changed-rows.ts';
import { ROOT_NETWORK } from './ledger-kinds.ts';
import { SEALED_TABLES } from './sealed-records.ts';

const NAMED: Readonly<Record<string, string>> = {
  accounts: `format('account %s (%s %s) of network %s', id, role, username, network_id)`,
  games: `format('the game %s', name)`,
  schedules: `format('the schedule %s', name)`,
  network_games: `format('game %s of network %s', game_id, network_id)`,
};

/**
 * Rows removed from the catalogue and its network settings. A forged row may have any key: invalid ones count as
 * root's, and long ones are cut.
 */
const REMOVED = `select network_id, written_by, of_table, left(key, 200) as key,
    format('%s (%s), which is gone,', of_table, replace(left(key, 200), E'\\t', ', ')) as what, null::text[] as above
  from removals cross join lateral (
    select case when of_table = 'network_games' and key ~ '^[0-9]{1,9}\\t' then split_part(key, E'\\t', 1)::int
      else ${ROOT_NETWORK} end as network_id
  ) as of_network
  where of_table in ('game_images', 'times', 'schedules', 'game_times', 'network_games')
    and network_id in (select id from networks union select ${ROOT_NETWORK})`;

function changedIn(table: string): string {
  const { key } = SEALED_TABLES[table]!;
  const name =
    NAMED[table] ?? `format('${table} (${key.map((column) => `${column} %s`).join(', ')})', ${key.join(', ')})`;
  // An account's chain changes with any ancestor's parent.
  const above = table === 'accounts' ? 'chain::text[]' : 'null::text[]';
  const row = `written_by, '${table}' as of_table, concat_ws(E'\\t', ${key.join(', ')}) as key, ${name} as what, ${above} as above`;
  if (table === 'networks')
    return `select id as network_id, ${row} from public.networks where id in (select id from networks)`;
  const network = table === 'accounts' || key[0] === 'network_id' ? 'network_id' : `${ROOT_NETWORK} as network_id`;
  return `select ${network}, ${row} from ${table}`;
}

/** Per table in `LOGGED_TABLES`, plus removals. `what` is a readable name. */
export const CHANGED_ROWS: ReadonlyMap<string, string> = new Map([
  ...LOGGED_TABLES.map((table): [string, string] => [table, changedIn(table)]),
  ['removals', REMOVED],
]);

const lastLoaded = (table: string): string =>
  `coalesce((select max(written_by) from ${table} b where b.network_id = coalesce(c.network_id, ${ROOT_NETWORK})), '0')`;

const NAMED_IN_LOG_SQL = `exists (select from jsonb_path_query(l.detail, '$.wrote[*]') as w
  where w ->> 'table' = c.of_table and (w -> 'keys' ? c.key or w -> 'fields' ? 'parent_id' and w -> 'keys' ?| c.above))`;

/** Common table expression `came`, needed by {@link UNLOGGED_SQL}: networks whose arrival is logged. */
export const ARRIVED_NETWORKS_SQL = `came as materialized (
  select n.id, n.written_by from public.networks n where exists (
    select from activity l cross join jsonb_path_query(l.detail, '$.wrote[*]') as w
    where l.written_by = n.written_by and w ->> 'table' = 'networks' and w -> 'keys' ? n.id::text))`;

/**
 * True if no log row of the same transaction names row `c` of {@link CHANGED_ROWS}. Excludes the first superadmin and
 * the catalogue, which predate the log. An arriving network explains its rows, as after an undone restore. Log rows
 * older than the last restore, move or clearing may be gone.
 */
export const UNLOGGED_SQL = `not exists (select from activity l where l.written_by = c.written_by and ${NAMED_IN_LOG_SQL})
  and c.written_by > (select min(written_by) from activity)
  and (c.of_table = 'networks' or c.written_by > coalesce((select written_by from came where came.id = c.network_id), '0'))
  and c.written_by > ${lastLoaded('restores')} and c.written_by > ${lastLoaded('moves')} and c.written_by > ${lastLoaded('clearings')}`;

/**
 * Tests rows being sealed now. Only evidence sealed in the same round counts, so even short-lived forgeries stay in the
 * log. `isNew`: SQL, true if `written_by` is unknown to earlier rounds. An arriving network explains its rows, but not
 * itself. The root predates every log. Clearing explains no change, since the log names accounts it anonymizes.
 */
export function standsInNoLogSince(isNew: string): string {
  const isNetwork = `c.of_table = 'networks' and c.network_id <> ${ROOT_NETWORK}`;
  return `not exists (
    select from activity l where l.written_by = c.written_by and l.network_id in (select id from networks) and ${NAMED_IN_LOG_SQL}
  )
  and (exists (select from activity where not (${isNew})) or c.written_by > (select min(written_by) from activity))
  and (${isNetwork} or c.written_by > coalesce(
    (select max(written_by) from networks where id = coalesce(c.network_id, ${ROOT_NETWORK}) and ${isNew}), '0'))`;
}

export const UNLOGGED = 'unlogged';
export const UNLOGGED_LINE = `${UNLOGGED} 1`;
