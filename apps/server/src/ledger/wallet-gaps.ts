import type { Queryable } from '../platform/db/database.ts';
import type { NumberRange } from '../platform/lists/serve-history.ts';
import type { WalletOf } from './wallets.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

/** Consecutive cleared movements as one entry. */
export interface WalletGap {
  readonly firstVersion: bigint;
  readonly version: bigint;
  readonly gained: bigint;
  readonly spent: bigint;
  readonly balance: bigint;
  readonly firstAt: Date;
  readonly at: Date;
}

export interface GapSums {
  readonly gaps: bigint;
  readonly movements: bigint;
  readonly gained: bigint;
  readonly spent: bigint;
}

/** The movement at `version` was cleared, and its gap counts as earlier, judged by its last or first movement. */
export function clearedBefore(
  { network, wallet }: { readonly network: Sql; readonly wallet: Sql },
  version: Sql,
  before: Sql,
  by: 'first_at' | 'last_at',
): Sql {
  return sql`exists (
    select from (select last_version, ${sql.raw(by)} as at from wallet_gaps g
      where g.network_id = ${network} and g.wallet_id = ${wallet} and g.first_version <= ${version}
                 order by g.first_version desc limit 1) as gap where gap.last_version >= ${version} and gap.at < ${before})`;
}

/** Newest if `fromEnd`, else oldest; returned oldest first. */
export async function readGaps(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: NumberRange,
  { limit, fromEnd }: { readonly limit: number; readonly fromEnd: boolean },
): Promise<WalletGap[]> {
  const gaps = await on.query<WalletGap>(
    sql`select first_version as "firstVersion", last_version as version, gained, spent, closing as balance, first_at as "firstAt",
      last_at as at
     from wallet_gaps where network_id = ${networkId} and wallet_id = ${walletId} and first_version between ${from} and ${past} - 1
     order by first_version ${sql.raw(fromEnd ? 'desc' : 'asc')} limit ${limit}`.named(
      `wallet-gaps-${fromEnd ? 'last' : 'first'}`,
    ),
  );
  return fromEnd ? gaps.toReversed() : gaps;
}

/** Gaps must lie entirely inside the stretch. */
export async function sumGaps(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: NumberRange,
): Promise<GapSums> {
  const [sums] = await on.query<GapSums>(
    sql`select count(*) as gaps, coalesce(sum(last_version - first_version + 1), 0)::bigint as movements,
            coalesce(sum(gained), 0)::bigint as gained, coalesce(sum(spent), 0)::bigint as spent
     from wallet_gaps where network_id = ${networkId} and wallet_id = ${walletId} and first_version between ${from} and ${past} - 1`.named(
      'wallet-gaps-sum',
    ),
  );
  return sums!;
}

export async function wasClearedSince(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  version: bigint,
): Promise<boolean> {
  const gaps = await on.query(
    sql`select from wallet_gaps where network_id = ${networkId} and wallet_id = ${walletId} and last_version > ${version} limit 1`,
  );
  return gaps.length > 0;
}
