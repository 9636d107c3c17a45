/** Whether all that is long is played: in `npm run test:long`. */
export const isWhole = Boolean(process.env['TEST_LONG']);

/** How much of what is long a run takes: a short piece of it in `npm test`, all in `npm run test:long`. */
export function howMuch(short: number, whole: number): number {
  return isWhole ? whole : short;
}

/** What a run looks at of many: the first, the middle one and the last in `npm test`, all in `npm run test:long`. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return isWhole ? all : all.filter((_, at) => [0, Math.floor(all.length / 2), all.length - 1].includes(at));
}

/** What a run looks at of very many: each so many-th in `npm test`, all in `npm run test:long`. */
export function eachNth<T>(nth: number, all: readonly T[]): readonly T[] {
  return isWhole ? all : all.filter((_, at) => at % nth === 0);
}

/** How many runs of a property that asks a server or a database: a third in `npm test`, all in `npm run test:long`. */
export function runsOf(whole: number): number {
  return howMuch(Math.ceil(whole / 3), whole);
}
