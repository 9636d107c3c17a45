/**
 * What the settlement of a player in a draw, each rollup and each report sum, by the names of their columns, in hundredths: the stakes, the
 * wins, and the commissions by the level that earned them.
 */
export const SETTLEMENT_SUMS = [
  'stake',
  'win',
  'super_commission',
  'dist_commission',
  'retail_commission',
  'user_commission',
] as const;

/** SQL for these columns of a table or subquery: `s.stake, s.win, …`. */
export function columnsOf(alias: string): string {
  return SETTLEMENT_SUMS.map((name) => `${alias}.${name}`).join(', ');
}

/** SQL for their sums over rows of it, under the same names; null over no rows. */
export function sumsOf(alias: string): string {
  return SETTLEMENT_SUMS.map((name) => `sum(${alias}.${name})::bigint as ${name}`).join(', ');
}
