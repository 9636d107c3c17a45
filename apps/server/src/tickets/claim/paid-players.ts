import { arrayOf, sql } from '../../platform/db/sql/sql.ts';
import type { Queryable } from '../../platform/db/database.ts';

export interface PaidPlayer {
  readonly draw_id: string;
  readonly account_id: string;
  readonly stake: bigint;
  /** Null for void draws: stakes went back. */
  readonly win: bigint | null;
}

export async function findEndedDraws(
  on: Queryable,
  networkId: number,
  drawIds: readonly string[],
): Promise<Set<string>> {
  const rows = await on.query<{ id: string }>(
    sql`select id from draws where network_id = ${networkId} and id = any(${arrayOf(drawIds)}::uuid[])
      and status in ('settled', 'void')`.named('draws-ended-among'),
  );
  return new Set(rows.map(({ id }) => id));
}

export async function paidPlayers(
  on: Queryable,
  networkId: number,
  drawIds: readonly string[],
  accountIds: readonly string[],
): Promise<PaidPlayer[]> {
  const [draws, accounts] = [arrayOf(drawIds), arrayOf(accountIds)];
  return on.query<PaidPlayer>(
    sql`select draw_id, account_id, stake, (win + (select coalesce(sum(c.moved), 0) from ticket_corrections c
       where c.network_id = ${networkId} and c.draw_id = p.draw_id and c.account_id = p.account_id))::bigint as win
     from player_settlements p where network_id = ${networkId} and draw_id = any(${draws}::uuid[]) and account_id = any(${accounts}::uuid[])
     union all
     select t.draw_id, t.account_id, sum(t.stake)::bigint, null
     from draws d join tickets t on t.network_id = d.network_id and t.draw_id = d.id
     where d.network_id = ${networkId} and d.id = any(${draws}::uuid[]) and d.status = 'void' and t.account_id = any(${accounts}::uuid[])
     group by t.draw_id, t.account_id`.named('players-paid'),
  );
}
