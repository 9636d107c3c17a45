import { LOGGED_TABLES } from '@drawhouse/rules/changed-rows';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import type { Queryable } from '../db/database.ts';
import { checkWith } from './audit-check.ts';
import type { Check } from './audit-check.ts';

/** How rows are named, where it is not by their keys. */
const NAMED: Readonly<Record<string, string>> = {
  accounts: `format('account %s (%s %s) of network %s', id, role, username, network_id)`,
  games: `format('the game %s', name)`,
  network_games: `format('game %s of network %s', game_id, network_id)`,
};

/** SQL for the rows of a table: their network, which transaction wrote them last, and what they are called. */
function changedIn(table: string): string {
  const { key } = SEALED_TABLES[table]!;
  const name =
    NAMED[table] ?? `format('${table} (${key.map((column) => `${column} %s`).join(', ')})', ${key.join(', ')})`;
  if (table === 'networks')
    return `select id as network_id, written_by, ${name} as what from public.networks where id in (select id from networks)`;
  const network = table === 'accounts' || key[0] === 'network_id' ? 'network_id' : ROOT_NETWORK;
  return `select ${network} as network_id, written_by, ${name} as what from ${table}`;
}

/** Of the catalogue, and of what networks have of it, the rows that were removed. */
const REMOVED = `select network_id, written_by, format('%s (%s), which is gone,', of_table, replace(key, E'\\t', ', ')) as what
  from removals cross join lateral (
    select case of_table when 'network_games' then split_part(key, E'\\t', 1)::int else ${ROOT_NETWORK} end as network_id
  ) as of_network
  where of_table in ('game_images', 'times', 'game_times', 'network_games') and network_id in (select id from networks union select ${ROOT_NETWORK})`;

/** When a network was loaded or cleared last, by the transaction: of what was written before it the log may not tell any more. */
const lastLoaded = (table: string): string =>
  `coalesce((select max(written_by) from ${table} b where b.network_id = coalesce(c.network_id, ${ROOT_NETWORK})), '0')`;

/**
 * Whatever changes what people change (`LOGGED_TABLES`) writes the log with it: so does everything that a person does. The first superadmin and the catalogue are made before
 * there is a log. Of what was there before a network was restored, moved or cleared last, rows of the log may be gone.
 */
export async function auditChanges(db: Queryable): Promise<Check> {
  const changed = [...LOGGED_TABLES.map(changedIn), REMOVED].join(' union all ');
  return checkWith(db)(
    'everything that people change was last changed by what stands in the log',
    'changed',
    `changed as materialized (${changed}), wrong as (
       select format('%s was changed by something that stands in no log', what) as problem from changed c
       where network_id is distinct from audited.trial(1)
         and not exists (select from activity l where l.written_by = c.written_by)
         and written_by > (select min(written_by) from activity)
         and written_by > ${lastLoaded('restores')} and written_by > ${lastLoaded('moves')} and written_by > ${lastLoaded('clearings')}
     )`,
  );
}
