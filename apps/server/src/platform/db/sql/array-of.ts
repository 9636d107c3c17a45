/**
 * Formats an array parameter of ids or numbers. pg scans every element for quoting, its largest cost; these values need
 * none. No SQL nulls.
 */
export function arrayOf(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`;
}
