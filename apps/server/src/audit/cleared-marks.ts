export type MarkedAbout = 'credit' | 'winnings' | 'commission' | 'collect' | 'claim' | 'ordered';

export const amountMark = (amount: string, reference: string, account: string): string =>
  `(hashint8extended(${amount}, uuid_hash_extended(${reference}, uuid_hash_extended(${account}, 0))) >> 2)`;

export const orderMark = (transfer: string): string => `(uuid_hash_extended(${transfer}, 0) >> 2)`;

/** Longest wait of a ticket bought ahead; related rows can be this much older. */
const OPEN_FOR = "interval '62 days'";

/** Only selects which problems to name. */
export const mayBeCleared = (network: string, at: string, models: readonly string[]): string =>
  `exists (select from clearings cl where cl.network_id = ${network} and cl.model in ('${models.join("', '")}')
     and ${at} >= cl.starts_at - ${OPEN_FOR} and ${at} < cl.ends_at)`;

interface OneSided {
  readonly about: MarkedAbout;
  readonly what: string;
  /** Clearing these models removes either side. */
  readonly models: readonly string[];
  /** Network of the cleared row, as SQL. Default: its own. */
  readonly clearedIn?: string;
  /** `(network_id, marks)`. Default: each network's. */
  readonly marks?: string;
}

/**
 * CTEs `off` and `unexplained (problem)` over `one_sided (network_id, mark, at, problem)`: entries without counterpart,
 * with marks signed by side. If a network's sum plus its cleared marks is zero, clearing explains them all. Otherwise
 * names entries that clearing cannot explain or, failing that, the network.
 */
export function explainByClearing({ about, what, models, marks, clearedIn = 'network_id' }: OneSided): string {
  return `off as materialized (
    select network_id from (
      select network_id, mark::numeric from one_sided
      union all select network_id, coalesce(marks, 0) from ${marks ?? `(select * from cleared_marks where about = '${about}')`} as kept
    ) as both_sides group by network_id having sum(mark) <> 0
  ), named as materialized (
    select network_id, o.problem from one_sided o join off using (network_id)
    where not ${mayBeCleared(clearedIn, 'coalesce(o.at, now())', models)}
  ), unexplained as (
    select problem from named
    union all
    select format('network %s: what was cleared does not account for the ${what} that are missing', network_id) from off
    where not exists (select from named where named.network_id = off.network_id)
  )`;
}
