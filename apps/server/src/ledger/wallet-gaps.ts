import type { Queryable } from '../db/database.ts';
import type { NumberRange } from '../lists/serve-history.ts';
import type { WalletOf } from './wallets.ts';
import { sql } from '../db/sql.ts';

/** Movements of a wallet that follow each other and were cleared, as one. Amounts in hundredths. */
export interface WalletGap {
  readonly firstVersion: bigint;
  /** The last of their numbers in the history of the wallet, by which it stands among the others. */
  readonly version: bigint;
  /** What came in and what went out, both above zero or nothing. */
  readonly gained: bigint;
  readonly spent: bigint;
  /** The wallet’s balance after the last. */
  readonly balance: bigint;
  readonly firstAt: Date;
  /** When the last was made. */
  readonly at: Date;
}

/** How many gaps a stretch of a history has, how many movements these were, and what they came to, in hundredths. */
export interface GapSums {
  readonly gaps: bigint;
  readonly movements: bigint;
  readonly gained: bigint;
  readonly spent: bigint;
}

/**
 * SQL for whether the movement `version` of a wallet was cleared and the gap that it is in counts as made before an instant: all of a gap does
 * when its last, or its first, movement was.
 */
export function clearedBefore(
  version: string,
  before: string,
  by: 'first_at' | 'last_at',
  [network, wallet]: readonly [string, string] = ['$1', '$2'],
): string {
  return `exists (
    select from (select last_version, ${by} as at from wallet_gaps g where g.network_id = ${network} and g.wallet_id = ${wallet} and g.first_version <= ${version}
                 order by g.first_version desc limit 1) as gap where gap.last_version >= ${version} and gap.at < ${before})`;
}

/** The gaps of a stretch of a history next to an end, at most `limit`: the newest `fromEnd`, else the oldest; the oldest first. */
export async function readGaps(
  on: Queryable,
  { networkId, walletId }: WalletOf,
  { from, past }: NumberRange,
  { limit, fromEnd }: { readonly limit: number; readonly fromEnd: boolean },
): Promise<WalletGap[]> {
  const gaps = await on.query<WalletGap>(
    sql`select first_version as "firstVersion", last_version as version, gained, spent, closing as balance, first_at as "firstAt", last_at as at
     from wallet_gaps where network_id = ${networkId} and wallet_id = ${walletId} and first_version between ${from} and ${past} - 1
     order by first_version ${sql.raw(fromEnd ? 'desc' : 'asc')} limit ${limit}`.named(
      `wallet-gaps-${fromEnd ? 'last' : 'first'}`,
    ),
  );
  return fromEnd ? gaps.toReversed() : gaps;
}

/** What the gaps of a stretch come to, which none of its ends is inside of. */
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
