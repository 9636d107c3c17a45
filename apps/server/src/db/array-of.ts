/**
 * A value for a parameter that is an array of ids or numbers. The driver would look through each for characters that an array has to quote,
 * which these have none of, and that takes longer than all else that it does. `null` as a text is none.
 */
export function arrayOf(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`;
}
