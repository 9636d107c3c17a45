/** Columns with sums in hundredths. Commissions by earning level. */
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

/** Null over no rows. */
export function sumsOf(alias: string): string {
  return SETTLEMENT_SUMS.map((name) => `sum(${alias}.${name})::bigint as ${name}`).join(', ');
}
