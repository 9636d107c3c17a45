import { LOGGED_TABLES } from './changed-rows.ts';
import { ROOT_NETWORK } from './ledger-kinds.ts';
import { SEALED_TABLES } from './sealed-records.ts';

/** How rows are named, where it is not by their keys. */
const NAMED: Readonly<Record<string, string>> = {
  accounts: `format('account %s (%s %s) of network %s', id, role, username, network_id)`,
  games: `format('the game %s', name)`,
  network_games: `format('game %s of network %s', game_id, network_id)`,
};

/** Of the catalogue, and of what networks have of it, the rows that were removed. Whoever writes such a row by hand may give it any key: one that is none is the root's, and as long as keys are. */
const REMOVED = `select network_id, written_by, of_table, left(key, 200) as key, format('%s (%s), which is gone,', of_table, replace(left(key, 200), E'\\t', ', ')) as what, null::text[] as above
  from removals cross join lateral (
    select case when of_table = 'network_games' and key ~ '^[0-9]{1,9}\\t' then split_part(key, E'\\t', 1)::int else ${ROOT_NETWORK} end as network_id
  ) as of_network
  where of_table in ('game_images', 'times', 'game_times', 'network_games') and network_id in (select id from networks union select ${ROOT_NETWORK})`;

/** SQL for the rows of one of these tables, as {@link CHANGED_ROWS} has them. */
function changedIn(table: string): string {
  const { key } = SEALED_TABLES[table]!;
  const name =
    NAMED[table] ?? `format('${table} (${key.map((column) => `${column} %s`).join(', ')})', ${key.join(', ')})`;
  // The chain of an account changes with the parent of any account in it.
  const above = table === 'accounts' ? 'chain::text[]' : 'null::text[]';
  const row = `written_by, '${table}' as of_table, concat_ws(E'\\t', ${key.join(', ')}) as key, ${name} as what, ${above} as above`;
  if (table === 'networks')
    return `select id as network_id, ${row} from public.networks where id in (select id from networks)`;
  const network = table === 'accounts' || key[0] === 'network_id' ? 'network_id' : `${ROOT_NETWORK} as network_id`;
  return `select ${network}, ${row} from ${table}`;
}

/**
 * By their tables, SQL for the rows of whatever people change (`LOGGED_TABLES`), and of what was removed of it: `network_id`, the transaction that wrote them last as
 * `written_by`, `of_table` and `key` as records name them, and `what` they are called.
 */
export const CHANGED_ROWS: ReadonlyMap<string, string> = new Map([
  ...LOGGED_TABLES.map((table): [string, string] => [table, changedIn(table)]),
  ['removals', REMOVED],
]);

/** When a network was loaded or cleared last, by the transaction: of what was written before it the log may not tell any more. */
const lastLoaded = (table: string): string =>
  `coalesce((select max(written_by) from ${table} b where b.network_id = coalesce(c.network_id, ${ROOT_NETWORK})), '0')`;

/** SQL for whether a row `l` of the log names a row `c` of {@link CHANGED_ROWS}. */
const IS_NAMED = `exists (select from jsonb_path_query(l.detail, '$.wrote[*]') as w
  where w ->> 'table' = c.of_table and (w -> 'keys' ? c.key or w -> 'fields' ? 'parent_id' and w -> 'keys' ?| c.above))`;

/** SQL for the networks that came as the log names it, as the common table expression `came` of {@link STANDS_IN_NO_LOG}. */
export const CAME = `came as materialized (
  select n.id, n.written_by from public.networks n where exists (
    select from activity l cross join jsonb_path_query(l.detail, '$.wrote[*]') as w
    where l.written_by = n.written_by and w ->> 'table' = 'networks' and w -> 'keys' ? n.id::text))`;

/**
 * SQL for whether no row of the log that the same transaction wrote names a row `c` of {@link CHANGED_ROWS}. Whatever changes these names them, and so does everything that a person does.
 * The first superadmin and the catalogue are made before there is a log. A network that comes explains its rows, as by an undone restore. Of what was there before a network was restored, moved or cleared last, rows of the log may be gone.
 */
export const STANDS_IN_NO_LOG = `not exists (select from activity l where l.written_by = c.written_by and ${IS_NAMED})
  and c.written_by > (select min(written_by) from activity)
  and (c.of_table = 'networks' or c.written_by > coalesce((select written_by from came where came.id = c.network_id), '0'))
  and c.written_by > ${lastLoaded('restores')} and c.written_by > ${lastLoaded('moves')} and c.written_by > ${lastLoaded('clearings')}`;

/**
 * The same in a look, of a row that it seals: nothing speaks for it but what that look seals as well, so that whoever makes it up, if for a moment, leaves it in the log. `isNew` is
 * SQL for whether a row's `written_by` is none that an earlier look was shown. A network that comes, however it does, is written with that. For itself
 * a network does not speak: what makes one, or has one come back, writes the log. The root was there before any log. A clearing excuses nothing: the log names the accounts that it takes the names of.
 */
export function standsInNoLogSince(isNew: string): string {
  const isNetwork = `c.of_table = 'networks' and c.network_id <> ${ROOT_NETWORK}`;
  return `not exists (select from activity l where l.written_by = c.written_by and l.network_id in (select id from networks) and ${IS_NAMED})
  and (exists (select from activity where not (${isNew})) or c.written_by > (select min(written_by) from activity))
  and (${isNetwork} or c.written_by > coalesce((select max(written_by) from networks where id = coalesce(c.network_id, ${ROOT_NETWORK}) and ${isNew}), '0'))`;
}

/** The kind of a record that says so of a row, as it was when it was sealed: its table and key, and the transaction. */
export const UNLOGGED = 'unlogged';
/** The first line of such a record. */
export const UNLOGGED_LINE = `${UNLOGGED} 1`;
