/** SQL for the network of a draw, and for the number of rate changes that the draw opened with. */
interface Opening {
  readonly network: string;
  readonly changes: string;
}

/**
 * SQL for the commission rate of an account of this alias at the opening of a draw, in hundredths of a percent: `before` of its first change
 * since then, else its rate of today. So an account that was made after the opening has its first rate.
 * Without a change in the network since the opening, which is the usual case, no account is looked up.
 */
export function rateAtOpening(account: string, { network, changes }: Opening): string {
  return `coalesce(case when (select max(nth) from rate_changes where network_id = ${network}) > ${changes}::int then (
    select c.before from rate_changes c where c.network_id = ${network} and c.account_id = ${account}.id and c.nth > ${changes}::int
    order by c.nth limit 1) end, ${account}.commission)`;
}
