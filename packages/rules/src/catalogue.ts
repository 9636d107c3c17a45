import { cardFaces } from './cards.ts';
import type { Color } from './cards.ts';

/** The kinds of game. A family decides outcomes, bets, pays and results (domain, section 3). */
export const FAMILIES = ['numbers', 'roulette', 'triple', 'andarbahar', 'lottery3d', 'lottery4d', 'jodi'] as const;

/** Name of a family. */
export type FamilyName = (typeof FAMILIES)[number];

/** A game whose key is well known, with what it is called and how it looks before anyone edits it. */
export type BuiltInGame = {
  /** The key that panels, tickets and reports use. */
  gameId: string;
  gameName: string;
  family: FamilyName;
  /** How many numbers can be drawn: 10, 12, 37 …; 3000 for 4D (30 sub-series of 100), 300 for jodi (3 tiers of 100). */
  digits: number;
  /** The first draw number. */
  first: 0 | 1;
  /** Names of the outcomes from the first on, where they are not their numbers. */
  labels?: readonly string[];
  /** Colours of the outcomes from the first on, for the card games. Wheels get theirs from the family. */
  colors?: readonly Color[];
  /** The order in which its panel shows the rows of outcomes, where it is not their own. */
  rowOrder?: readonly number[];
  /** The title of its panel, where it is not the game's name; `{token}` stands for the name of the admin. */
  panelTitle?: string;
  /** Draw interval when the game is first created, in seconds. */
  intervalSeconds: number;
};

const TILES = [
  'Umbrella',
  'Football',
  'Sun',
  'Lamp',
  'Cow',
  'Bucket',
  'Kite',
  'Spinning Top',
  'Rose',
  'Butterfly',
  'Pigeon',
  'Rabbit',
];
const FRUITS = [
  'Apple',
  'Banana',
  'Cherry',
  'Grapes',
  'Guava',
  'Lemon',
  'Mango',
  'Orange',
  'Papaya',
  'Pear',
  'Pineapple',
  'Watermelon',
];
const HORSES = [
  'Arrow',
  'Blaze',
  'Comet',
  'Dancer',
  'Eclipse',
  'Flash',
  'Gallant',
  'Hurricane',
  'Ivory',
  'Jet',
  'Knight',
  'Legend',
];

const numbers10 = { family: 'numbers', digits: 10, first: 0, intervalSeconds: 60 } as const;
const numbers12 = { family: 'numbers', digits: 12, first: 1, intervalSeconds: 60 } as const;
const numbers16 = { family: 'numbers', digits: 16, first: 0, intervalSeconds: 60 } as const;
const cards12 = { ...numbers12, ...cardFaces(['J', 'Q', 'K']) };
/** Shown as the indexes 0-3, 4-7, 12-15, 8-11 (section 2 of the games specification). */
const cards16 = { ...numbers16, ...cardFaces(['A', 'K', 'Q', 'J']), rowOrder: [0, 1, 3, 2] };
const singleZero = { family: 'roulette', digits: 37, first: 0, intervalSeconds: 60 } as const;
const doubleZero = { family: 'roulette', digits: 38, first: 0, intervalSeconds: 60 } as const;

/** Every well-known game: the keys of the domain's table of families, named after the panels of the specification. */
export const BUILT_IN_GAMES: readonly BuiltInGame[] = [
  { gameId: 'funtargetbingo', gameName: 'Fun Target Bingo', ...numbers10 },
  { gameId: 'funtargetfullbhav', gameName: 'Fun Target Full Bhav', ...numbers10 },
  { gameId: 'funtargetnew', gameName: 'Fun Target New', ...numbers10 },
  { gameId: 'lucky10fruit', gameName: 'Lucky 10 Fruit', ...numbers10, labels: FRUITS.slice(0, 10) },
  { gameId: 'greenfuntimer', gameName: 'Green Fun Timer', ...numbers10 },
  { gameId: 'grandchance', gameName: 'Grand Chance', ...numbers10 },

  { gameId: 'titlisorrat', gameName: 'Titli Sorrat', ...numbers12, labels: TILES },
  { gameId: 'titlisoratbrown', gameName: 'Titli Sorat Brown', ...numbers12, labels: TILES },
  { gameId: 'fruit12', gameName: 'Fruit 12', ...numbers12, labels: FRUITS },
  { gameId: 'horse12', gameName: 'Horse 12', ...numbers12, labels: HORSES },
  { gameId: 'playsmart12', gameName: 'Play Smart 12 Cards', ...cards12 },
  { gameId: 'luckycard12', gameName: 'Lucky 12 Cards', ...cards12 },
  { gameId: 'duskadum', gameName: 'Das Ka Dum', ...numbers12 },
  { gameId: 'pFvIwZHj!', gameName: 'Das Ka Dum B', ...numbers12 },

  { gameId: 'pingpong1', gameName: 'Ping Pong 1', ...numbers16 },
  { gameId: 'zzqOpdpE', gameName: 'Ping Pong 1 B', ...numbers16 },
  { gameId: 'pingpong2', gameName: 'Ping Pong Two', ...numbers16 },
  { gameId: 'ccqOpdpE', gameName: 'Ping Pong Two B', ...numbers16 },
  { gameId: 'luckycard16', gameName: 'Lucky 16 Cards', ...cards16 },
  { gameId: 'wbzegyzA', gameName: 'Lucky 16 Cards B', ...cards16 },

  { gameId: 'europeanroulette', gameName: 'European Roulette', ...singleZero },
  { gameId: 'gkroulette', gameName: 'Gk Roulette', ...singleZero },
  { gameId: 'roulette36', gameName: 'Roulette 36', ...singleZero },
  { gameId: 'roulette3638', gameName: 'Roulette 36-38', ...doubleZero },
  { gameId: 'roulette', gameName: 'Roulette', ...doubleZero },
  { gameId: 'funroulette', gameName: 'Fun Roulette', ...doubleZero },
  { gameId: 'miniroulette', gameName: 'Mini Roulette', family: 'roulette', digits: 13, first: 0, intervalSeconds: 60 },

  { gameId: 'triplefun', gameName: 'Triple Fun', family: 'triple', digits: 1000, first: 0, intervalSeconds: 60 },
  { gameId: 'andarbahar', gameName: 'Andhar Bahar', family: 'andarbahar', digits: 13, first: 1, intervalSeconds: 60 },
  {
    gameId: 'lottery3d',
    gameName: '3D/1000 Lottery',
    family: 'lottery3d',
    digits: 1000,
    first: 0,
    intervalSeconds: 300,
  },
  {
    gameId: 'lottery4d',
    gameName: '4D/10000 Lottery',
    family: 'lottery4d',
    digits: 3000,
    first: 0,
    intervalSeconds: 300,
  },
  {
    gameId: 'acqOpdpL',
    gameName: 'Andhar Bahar Jodi',
    family: 'jodi',
    digits: 300,
    first: 0,
    panelTitle: '{token} andhar-bahar-jodi',
    intervalSeconds: 300,
  },
];

const byKey = new Map(BUILT_IN_GAMES.map((game) => [game.gameId, game]));

/** The well-known game with this key, or undefined for a game that somebody created. */
export function builtInGame(gameId: string): BuiltInGame | undefined {
  return byKey.get(gameId);
}

/** The price of one unit of a built-in game when it is first created: 1 point. */
export const BUILT_IN_UNIT_PRICE = 100n;
