/** True in the long tier, `npm run test:long`, which plays everything in full. */
export const isWhole = Boolean(process.env['TEST_LONG']);

/** Returns the short count in `npm test`, the whole one in `npm run test:long`. */
export function howMuch(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** Returns the first, the middle and the last item in `npm test`, all in `npm run test:long`. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return isWhole ? all : all.filter((_, at) => [0, Math.floor(all.length / 2), all.length - 1].includes(at));
}

/** The sample that a run takes. `npm test` sets it from the commit's hash, so each commit tries others (`tools/test.ts`). */
const SAMPLE = Number(process.env['TEST_SAMPLE'] ?? 0);

/** Returns every n-th item in `npm test`, beginning where the sample says, at least one; all in `npm run test:long`. */
export function eachNth<T>(nth: number, all: readonly T[]): readonly T[] {
  const first = SAMPLE % Math.min(nth, all.length);
  return isWhole ? all : all.filter((_, at) => at % nth === first);
}

/** The number of runs of a property on a server or a database: at most five in `npm test`, all in `npm run test:long`. */
export function runsOf(whole: number): number {
  return howMuch(Math.min(5, whole), whole);
}
