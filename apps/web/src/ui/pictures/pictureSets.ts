import { useEffect, useState } from 'react';
import type { Picture, Pictured, PictureOf } from './shapes.ts';

/** The drawn sets. Each is a file of its own, and a panel fetches the one of its game. */
const SETS = {
  tiles: async () => (await import('./tiles.ts')).pictureOf,
  fruit: async () => (await import('./fruit.ts')).pictureOf,
  horses: async () => (await import('./horses.ts')).pictureOf,
  cards: async () => (await import('./playingCards.ts')).pictureOf,
  dice: async () => (await import('./dice.ts')).pictureOf,
  pockets: async () => (await import('./pockets.ts')).pictureOf,
  pingPong1: async () => (await import('./balls.ts')).pingPong1,
  pingPong2: async () => (await import('./balls.ts')).pingPong2,
} as const satisfies Record<string, () => Promise<PictureOf>>;

/** Name of a drawn set. */
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

/** The set that draws the outcomes of a game; undefined where they are plain numbers. */
export function setOf(gameId: string, family: string): PictureSet | undefined {
  return BY_GAME.get(gameId) ?? BY_FAMILY.get(family);
}

/** The game whose outcome a picture shows, the outcome, and its uploaded image. */
export interface Depicted extends Pictured {
  readonly gameId: string;
  readonly family: string;
  /** The address of an uploaded image, which wins over the drawn one while it can be fetched. */
  readonly image?: string | null | undefined;
}

/** What `OutcomePicture` shows of an outcome; null where it is a plain number, which a picture says no better. */
export function pictureFor(
  { gameId, family }: Pick<Depicted, 'gameId' | 'family'>,
  { drawno, label, color, image }: Omit<Depicted, 'gameId' | 'family'>,
): Depicted | null {
  if (!image && setOf(gameId, family) === undefined) return null;
  return { gameId, family, drawno, label, color, image };
}

/** Heights of the number mark's text, by how many digits it has. */
const DIGIT_SIZES = [26, 25, 18, 14];

/** The mark of a number, for outcomes that have no other picture. It is drawn from nothing that would have to be fetched. */
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

const markOf: PictureOf = ({ drawno }) => numberMark(drawno);
const here = new Map<PictureSet, PictureOf>();
const coming = new Map<PictureSet, Promise<PictureOf>>();

/** Fetches a set, once. What could not be fetched is tried again the next time. */
export function loadSet(set: PictureSet): Promise<PictureOf> {
  const fetched = coming.get(set) ?? SETS[set]();
  coming.set(set, fetched);
  fetched.then(
    (pictureOf) => here.set(set, pictureOf),
    () => coming.delete(set),
  );
  return fetched;
}

/** What draws the outcomes of a set; null until it is there. Without a set, and where it can't be fetched, numbers are marked. */
export function usePictures(set: PictureSet | undefined): PictureOf | null {
  const [fetched, setFetched] = useState<{ set: PictureSet; pictureOf: PictureOf } | null>(null);
  const ready = set === undefined ? markOf : (here.get(set) ?? (fetched?.set === set ? fetched.pictureOf : null));
  const missing = ready === null ? set : undefined;
  useEffect(() => {
    if (missing === undefined) return;
    let unmounted = false;
    const show = (pictureOf: PictureOf) => {
      if (!unmounted) setFetched({ set: missing, pictureOf });
    };
    loadSet(missing).then(show, () => show(markOf));
    return () => {
      unmounted = true;
    };
  }, [missing]);
  return ready;
}
