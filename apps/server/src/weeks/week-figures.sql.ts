import { NO_FIGURES, type WeekFigures } from '@drawhouse/rules/records/week-balance';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { sumsOf } from '@drawhouse/rules/records/settlement-sums';
import { addDays, dayStart } from '@drawhouse/rules/time/zone-days';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';

export interface Siblings {
  readonly networkId: number;
  readonly above: readonly string[];
  readonly ids: readonly string[];
  readonly role: Role;
}

/** In the server's time zone, both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export type FiguresByDay = ReadonlyMap<string, ReadonlyMap<string, WeekFigures>>;

interface Stored {
  readonly id: string;
  readonly day: string;
  readonly given: bigint;
  readonly taken: bigint;
  readonly paid_out: bigint;
  readonly stake: bigint;
  readonly win: bigint;
  readonly super_commission: bigint;
  readonly dist_commission: bigint;
  readonly retail_commission: bigint;
  readonly user_commission: bigint;
}

const OWN_COMMISSION: Partial<Record<Role, keyof Stored>> = {
  superdistributor: 'super_commission',
  distributor: 'dist_commission',
  retailer: 'retail_commission',
  user: 'user_commission',
};

/**
 * Sums by day. Credit counts when it crosses from an account above into the subtree or back, whoever moved it: credit
 * from a distributor to a player passes the retailer's sheet too.
 */
export async function readFigures(
  on: Queryable,
  { networkId, above, ids, role }: Siblings,
  { from, to }: Days,
  timeZone: string,
): Promise<FiguresByDay> {
  const kind = (name: keyof typeof TRANSFER_KINDS) => sql.lit(TRANSFER_KINDS[name]);
  const [start, end] = [dayStart(from, timeZone), dayStart(addDays(to, 1), timeZone)];
  const inTime = sql`t.at >= ${start}::timestamptz and t.at < ${end}::timestamptz`;
  const rows = await on.query<Stored>(sql`
    with sources as materialized (
      select w.id from wallets w where w.network_id = ${networkId} and (w.kind = ${sql.lit(WALLET_KINDS.boundary)}
        or (w.kind = ${sql.lit(WALLET_KINDS.credit)} and w.owner_id = any(${above}::uuid[])))
    ), crossed as (
      select t.at, t.to_wallet as wallet, t.amount as given, 0::bigint as taken from sources s join transfers t
        on t.network_id = ${networkId} and t.from_wallet = s.id and t.kind = ${kind('give')} and ${inTime}
      union all
      select t.at, t.from_wallet, 0, t.amount from sources s join transfers t
        on t.network_id = ${networkId} and t.to_wallet = s.id and t.kind in (${kind('takeBack')}, ${kind('return')}) and ${inTime}
    ), credit as (
      select a.chain[${above.length + 1}::int] as id, (c.at at time zone ${timeZone})::date as day, sum(c.given)::bigint as given,
        sum(c.taken)::bigint as taken
      from crossed c join wallets w on w.network_id = ${networkId} and w.id = c.wallet
      join accounts a on a.id = w.owner_id where a.chain[${above.length + 1}::int] = any(${ids}::uuid[]) group by 1, 2
    ), payouts as (
      select w.owner_id as id, (t.at at time zone ${timeZone})::date as day, sum(t.amount)::bigint as paid_out
      from wallets w join transfers t on t.network_id = ${networkId} and t.to_wallet = w.id and t.kind = ${kind('payout')} and ${inTime}
      where w.network_id = ${networkId} and w.kind = ${sql.lit(WALLET_KINDS.credit)} and w.owner_id = any(${ids}::uuid[]) group by 1, 2
    ), play as (
      select r.account_id as id, (r.starts_at at time zone ${timeZone})::date as day, ${sql.raw(sumsOf('r'))} from rollups r
      where r.network_id = ${networkId} and r.account_id = any(${ids}::uuid[]) and r.grain = 'day'
        and r.starts_at >= ${start}::timestamptz and r.starts_at < ${end}::timestamptz group by 1, 2
    )
    select id, day::text, coalesce(given, 0) as given, coalesce(taken, 0) as taken, coalesce(paid_out, 0) as paid_out,
      coalesce(stake, 0) as stake, coalesce(win, 0) as win, coalesce(super_commission, 0) as super_commission,
      coalesce(dist_commission, 0) as dist_commission, coalesce(retail_commission, 0) as retail_commission,
      coalesce(user_commission, 0) as user_commission
    from credit full join payouts using (id, day) full join play using (id, day)`);
  const own = OWN_COMMISSION[role];
  const byAccount = new Map<string, Map<string, WeekFigures>>();
  for (const row of rows) {
    const days = byAccount.get(row.id) ?? new Map<string, WeekFigures>();
    byAccount.set(row.id, days);
    days.set(row.day, {
      ...NO_FIGURES,
      given: row.given,
      taken: row.taken,
      play: row.stake,
      win: row.win,
      commission: row.super_commission + row.dist_commission + row.retail_commission + row.user_commission,
      earned: own ? (row[own] as bigint) : 0n,
      paidOut: row.paid_out,
    });
  }
  return byAccount;
}
