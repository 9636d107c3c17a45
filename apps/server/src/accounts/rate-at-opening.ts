interface Opening {
  readonly network: string;
  readonly changes: string;
}

/**
 * SQL for an account's commission rate at a draw's opening, in hundredths of a percent: `before` of its first later
 * change, else today's rate. Skips the account lookup if the network had no later change, the usual case.
 */
export function rateAtOpening(account: string, { network, changes }: Opening): string {
  return `coalesce(case when (select max(nth) from rate_changes where network_id = ${network}) > ${changes}::int then (
    select c.before from rate_changes c where c.network_id = ${network} and c.account_id = ${account}.id and c.nth > ${changes}::int
    order by c.nth limit 1) end, ${account}.commission)`;
}
