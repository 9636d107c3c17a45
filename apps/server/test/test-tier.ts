/** Long tier, `npm run test:long`. */
export const isWhole = Boolean(process.env['TEST_LONG']);

export function perTier(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** First, middle and last item in `npm test`, all in `npm run test:long`. */
export function sampleEnds<T>(all: readonly T[]): readonly T[] {
  return isWhole ? all : all.filter((_, at) => [0, Math.floor(all.length / 2), all.length - 1].includes(at));
}

/** `npm test` derives the sample's offset from the commit hash (`tools/test.ts`). */
const SAMPLE = Number(process.env['TEST_SAMPLE'] ?? 0);

/** Every n-th item from the sample offset in `npm test`, at least one; all in `npm run test:long`. */
export function eachNth<T>(nth: number, all: readonly T[]): readonly T[] {
  const first = SAMPLE % Math.min(nth, all.length);
  return isWhole ? all : all.filter((_, at) => at % nth === first);
}

/** At most five property runs in `npm test`. */
export function runsOf(whole: number): number {
  return perTier(Math.min(5, whole), whole);
}
