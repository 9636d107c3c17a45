/** How much of what is long a run takes: a short piece of it in `npm test`, all in `npm run test:long`. */
export function howMuch(short: number, whole: number): number {
  return process.env['TEST_LONG'] ? whole : short;
}
