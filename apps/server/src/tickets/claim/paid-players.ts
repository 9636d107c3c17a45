import { arrayOf, sql } from '../../platform/db/sql/sql.ts';
import type { Queryable } from '../../platform/db/database.ts';

export interface PaidPlayer {
  readonly draw_id: string;
  readonly account_id: string;
  readonly stake: bigint;
  /** Null for void draws: stakes went back. */
  readonly win: bigint | null;
}

/** Returns draws that will pay no further players. */
export async function endedAmong(on: Queryable, networkId: number, drawIds: readonly string[]): Promise<Set<string>> {
  const rows = await on.query<{ id: string }>(
    sql`select id from draws where network_id = ${networkId} and id = any(${arrayOf(drawIds)}::uuid[]) and status in ('settled', 'void')`.named(
      'draws-ended-among',
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

export async function paidPlayers(
  on: Queryable,
  networkId: number,
  drawIds: readonly string[],
  accountIds: readonly string[],
): Promise<PaidPlayer[]> {
  return on.query<PaidPlayer>(
    `select draw_id, account_id, stake, win from player_settlements
     where network_id = $1 and draw_id = any($2::uuid[]) and account_id = any($3::uuid[])
     union all
     select t.draw_id, t.account_id, sum(t.stake)::bigint, null
     from draws d join tickets t on t.network_id = d.network_id and t.draw_id = d.id
     where d.network_id = $1 and d.id = any($2::uuid[]) and d.status = 'void' and t.account_id = any($3::uuid[])
     group by t.draw_id, t.account_id`,
    [networkId, arrayOf(drawIds), arrayOf(accountIds)],
    'players-paid',
  );
}
