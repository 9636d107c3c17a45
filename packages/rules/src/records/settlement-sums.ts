/** Sums in player settlements, rollups and reports, by column, in hundredths. Commissions by earning level. */
export const SETTLEMENT_SUMS = [
  'stake',
  'win',
  'super_commission',
  'dist_commission',
  'retail_commission',
  'user_commission',
] as const;

export function columnsOf(alias: string): string {
  return SETTLEMENT_SUMS.map((name) => `${alias}.${name}`).join(', ');
}

/** SQL sums under the same names. Null over no rows. */
export function sumsOf(alias: string): string {
  return SETTLEMENT_SUMS.map((name) => `sum(${alias}.${name})::bigint as ${name}`).join(', ');
}
