import type { LobbyGame } from '@drawhouse/contract/players/lobby';
import { setOf, type PictureSet } from '@drawhouse/pictures/picture-sets';

export const KINDS = ['pinned', 'played', 'wheels', 'cards', 'pictures', 'balls', 'numbers', 'lotteries'] as const;
export type Kind = (typeof KINDS)[number];

type SortedGame = Pick<LobbyGame, 'gameId' | 'gameName' | 'family' | 'lastPlayedAt'>;

export interface GameSection<Game> {
  readonly kind: Kind;
  readonly games: readonly Game[];
}

const OF_FAMILY: Readonly<Record<string, Kind>> = {
  roulette: 'wheels',
  triple: 'lotteries',
  lottery3d: 'lotteries',
  lottery4d: 'lotteries',
  jodi: 'lotteries',
};

const OF_SET: Readonly<Record<PictureSet, Kind>> = {
  pockets: 'wheels',
  cards: 'cards',
  tiles: 'pictures',
  fruit: 'pictures',
  horses: 'pictures',
  dice: 'balls',
  pingPong1: 'balls',
  pingPong2: 'balls',
};

function kindOf({ gameId, family }: SortedGame): Kind {
  const set = setOf(gameId, family);
  return OF_FAMILY[family] ?? (set === undefined ? 'numbers' : OF_SET[set]);
}

/** One row on a wide screen. */
const MOST_PLAYED = 4;

/** Each game appears once: pinned, last played, then by kind. */
export function sectionsOf<Game extends SortedGame>(
  games: readonly Game[],
  pinned: ReadonlySet<string>,
): GameSection<Game>[] {
  const played = games.filter(({ gameId, lastPlayedAt }) => lastPlayedAt !== null && !pinned.has(gameId));
  const last = new Set(played.slice(0, MOST_PLAYED));
  const of = Map.groupBy(games, (game) =>
    pinned.has(game.gameId) ? 'pinned' : last.has(game) ? 'played' : kindOf(game),
  );
  return KINDS.flatMap((kind) => {
    const own = of.get(kind);
    return own ? [{ kind, games: own }] : [];
  });
}

export function foundGames<Game extends SortedGame>(games: readonly Game[], text: string): readonly Game[] {
  const plain = (name: string): string => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain(text).split(/\s+/);
  return games.filter(({ gameName }) => words.every((word) => plain(gameName).includes(word)));
}
