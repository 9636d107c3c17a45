import type { Picture, PictureOf } from './shapes.ts';

/** Each set is a separate chunk. */
const SETS = {
  tiles: async () => (await import('./tiles.ts')).pictureOf,
  fruit: async () => (await import('./fruit.ts')).pictureOf,
  horses: async () => (await import('./horses.ts')).pictureOf,
  cards: async () => (await import('./playing-cards.ts')).pictureOf,
  dice: async () => (await import('./dice.ts')).pictureOf,
  pockets: async () => (await import('./pockets.ts')).pictureOf,
  pingPong1: async () => (await import('./balls.ts')).pingPong1,
  pingPong2: async () => (await import('./balls.ts')).pingPong2,
} as const satisfies Record<string, () => Promise<PictureOf>>;

export type PictureSet = keyof typeof SETS;

const BY_GAME = new Map<string, PictureSet>([
  ['titlisorrat', 'tiles'],
  ['titlisoratbrown', 'tiles'],
  ['lucky10fruit', 'fruit'],
  ['fruit12', 'fruit'],
  ['horse12', 'horses'],
  ['playsmart12', 'cards'],
  ['luckycard12', 'cards'],
  ['luckycard16', 'cards'],
  ['wbzegyzA', 'cards'],
  ['duskadum', 'dice'],
  ['pFvIwZHj!', 'dice'],
  ['pingpong1', 'pingPong1'],
  ['zzqOpdpE', 'pingPong1'],
  ['pingpong2', 'pingPong2'],
  ['ccqOpdpE', 'pingPong2'],
]);

const BY_FAMILY = new Map<string, PictureSet>([
  ['roulette', 'pockets'],
  ['andarbahar', 'cards'],
]);

/** Undefined for plain numbers. */
export function setOf(gameId: string, family: string): PictureSet | undefined {
  return BY_GAME.get(gameId) ?? BY_FAMILY.get(family);
}

const DIGIT_SIZES = [26, 25, 18, 14];

/** Needs no download. */
export function numberMark(drawno: string): Picture {
  const size = DIGIT_SIZES[drawno.length - 1] ?? 64 / drawno.length;
  return [
    {
      fill: 'paper',
      stroke: 'ink',
      width: 2,
      d: 'M11 6h26a9 9 0 0 1 9 9v18a9 9 0 0 1-9 9H11a9 9 0 0 1-9-9V15a9 9 0 0 1 9-9Z',
    },
    { fill: 'ink', text: drawno, x: 24, y: 24 + size * 0.36, size },
  ];
}

const loaded = new Map<PictureSet, PictureOf>();
const loading = new Map<PictureSet, Promise<PictureOf>>();

/** Failed loads are retried next time. */
export function loadSet(set: PictureSet): Promise<PictureOf> {
  const fetched = loading.get(set) ?? SETS[set]();
  loading.set(set, fetched);
  fetched.then(
    (pictureOf) => loaded.set(set, pictureOf),
    () => loading.delete(set),
  );
  return fetched;
}

export function fetchedSet(set: PictureSet): PictureOf | undefined {
  return loaded.get(set);
}

export const marksOf: PictureOf = ({ drawno }) => numberMark(drawno);
