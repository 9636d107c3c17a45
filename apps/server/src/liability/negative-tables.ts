import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { tableLine } from '../accounts/accounts.sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { singleNetwork, crossNetworkComment } from '../platform/db/cross-network-sql.ts';

interface TableBelow {
  readonly gameId: string;
  readonly gameName: string;
  readonly balance: bigint;
}

export interface NegativeNetwork {
  readonly adminId: string;
  readonly username: string;
  /** Table line, and sum over all tables, in hundredths. */
  readonly line: bigint;
  readonly sum: bigint;
  readonly tables: readonly TableBelow[];
}

/** True if tables in total are below the line, which stops new draws. */
export function opensNoDraw({ line, sum }: Pick<NegativeNetwork, 'line' | 'sum'>): boolean {
  return sum < -line;
}

export async function networksBelow(on: Queryable, networkIds: readonly number[] | 'all'): Promise<NegativeNetwork[]> {
  const one = networkIds === 'all' ? undefined : singleNetwork(networkIds);
  const network = one === undefined ? 'n.id' : '$1';
  const why = networkIds === 'all' ? crossNetworkComment('tables') : crossNetworkComment('superadmin');
  const which = one === undefined ? `($1::int[] is null or n.id = any($1::int[])) ${why}` : 'n.id = $1';
  const rows = await on.query<Row>(
    `select "adminId", username, ${tableLine(one === undefined ? `found.network ${why}` : '$1')} as line, "gameId", "gameName", balance, sum from (
       select n.id as network, a.id as "adminId", a.username, g.game_key as "gameId", g.name as "gameName", t.balance,
              sum(t.balance) over (partition by n.id)::bigint as sum
       from networks n join accounts a on a.id = n.admin_id cross join games g
       join wallets t on t.network_id = ${network} and t.owner_id = g.id and t.kind = ${WALLET_KINDS.table}
       where ${which}
     ) as found where balance < 0 order by username, balance, "gameName"`,
    [networkIds === 'all' ? null : (one ?? networkIds)],
    one === undefined ? (networkIds === 'all' ? 'tables-below' : 'tables-below-some') : 'tables-below-in-one',
  );
  return [...Map.groupBy(rows, ({ adminId }) => adminId).values()].map((its) => {
    const { adminId, username, line, sum } = its[0]!;
    const tables = its.map(({ gameId, gameName, balance }) => ({ gameId, gameName, balance }));
    return { adminId, username, line, sum, tables };
  });
}

type Row = Omit<NegativeNetwork, 'tables'> & TableBelow;
