/** What the record asks for and what was done for it, of which clearing keeps the marks (`cleared_marks`). */
export type MarkedAbout = 'credit' | 'winnings' | 'commission' | 'collect' | 'claim' | 'ordered';

/** SQL for the mark of an amount that a draw or a ticket asks for, for an account. */
export const amountMark = (amount: string, reference: string, account: string): string =>
  `(hashint8extended(${amount}, uuid_hash_extended(${reference}, uuid_hash_extended(${account}, 0))) >> 2)`;

/** SQL for the mark of a transfer that somebody ordered. */
export const orderMark = (transfer: string): string => `(uuid_hash_extended(${transfer}, 0) >> 2)`;

/** A draw may have been open for so long before it ended: so much earlier than the days that were cleared lies what was about it. */
const OPEN_FOR = "interval '2 days'";

/** SQL for whether something of a network at an instant may have been cleared with one of these models. It only decides what is named. */
export const mayBeCleared = (network: string, at: string, models: readonly string[]): string =>
  `exists (select from clearings cl where cl.network_id = ${network} and cl.model in ('${models.join("', '")}')
     and ${at} >= cl.starts_at - ${OPEN_FOR} and ${at} < cl.ends_at)`;

/** What of a comparison has no other side. */
interface OneSided {
  readonly about: MarkedAbout;
  /** What they are, for the sentence. */
  readonly what: string;
  /** The models that take one of the sides away. */
  readonly models: readonly string[];
  /** SQL for the network in which one of `one_sided o` was cleared; its own where it is left out. */
  readonly clearedIn?: string;
  /** The cleared marks `network_id, marks`; those of each network where it is left out. */
  readonly marks?: string;
}

/**
 * Common table expressions, `off` and `unexplained (problem)`, over `one_sided (network_id, mark, at, problem)`: what has no other side, with its
 * mark where it was asked for and not done, less its mark where it was done and not asked for. Where the sum of a network and that of what was cleared
 * of it come to nothing, all of it is explained by that. Where not, each is named that can't have been cleared, and the network where there is none.
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
