import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { tableLine } from '../accounts/accounts.sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { singleNetwork, crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { sql } from '../platform/db/sql/sql.ts';

interface TableBelow {
  readonly gameId: string;
  readonly gameName: string;
  readonly balance: bigint;
}

export interface NegativeNetwork {
  readonly adminId: string;
  readonly username: string;
  readonly line: bigint;
  readonly sum: bigint;
  readonly tables: readonly TableBelow[];
}

export function opensNoDraw({ line, sum }: Pick<NegativeNetwork, 'line' | 'sum'>): boolean {
  return sum < -line;
}

/** Tables of test networks need no attention. */
export async function findNegativeNetworks(
  on: Queryable,
  networkIds: readonly number[] | 'all',
): Promise<NegativeNetwork[]> {
  const one = networkIds === 'all' ? undefined : singleNetwork(networkIds);
  const why = sql.raw(networkIds === 'all' ? crossNetworkComment('tables') : crossNetworkComment('superadmin'));
  const among = networkIds === 'all' ? sql`true ${why}` : sql`n.id = any(${networkIds}::int[]) ${why}`;
  const rows = await on.query<Row>(
    sql`select "adminId", username, ${tableLine(one === undefined ? sql`found.network ${why}` : sql`${one}`)} as line, "gameId",
      "gameName", balance, sum from (
       select n.id as network, a.id as "adminId", a.username, g.game_key as "gameId", g.name as "gameName", t.balance,
              sum(t.balance) over (partition by n.id)::bigint as sum
       from networks n join accounts a on a.id = n.admin_id cross join games g
       join wallets t on t.network_id = ${one === undefined ? sql`n.id` : sql`${one}`} and t.owner_id = g.id
         and t.kind = ${sql.lit(WALLET_KINDS.table)}
       where ${one === undefined ? among : sql`n.id = ${one}`} and not a.test_network
     ) as found where balance < 0 order by lower(username) collate natural_order, balance,
       lower("gameName") collate natural_order`.named(
      one !== undefined ? 'tables-below-in-one' : networkIds === 'all' ? 'tables-below' : 'tables-below-some',
    ),
  );
  return [...Map.groupBy(rows, ({ adminId }) => adminId).values()].map((group) => {
    const { adminId, username, line, sum } = group[0]!;
    const tables = group.map(({ gameId, gameName, balance }) => ({ gameId, gameName, balance }));
    return { adminId, username, line, sum, tables };
  });
}

type Row = Omit<NegativeNetwork, 'tables'> & TableBelow;
