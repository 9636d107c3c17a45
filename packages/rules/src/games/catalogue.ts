export type Color = 'red' | 'black' | 'green';

/** Panels call it the card's type. */
export type Suit = 'spade' | 'heart' | 'diamond' | 'club';

export const SUITS: readonly { suit: Suit; symbol: string; color: Color }[] = [
  { suit: 'spade', symbol: '♠', color: 'black' },
  { suit: 'heart', symbol: '♥', color: 'red' },
  { suit: 'diamond', symbol: '♦', color: 'red' },
  { suit: 'club', symbol: '♣', color: 'black' },
];

function cardFaces(ranks: readonly string[]): { labels: readonly string[]; colors: readonly Color[] } {
  const cards = ranks.flatMap((rank) => SUITS.map(({ symbol, color }) => ({ label: rank + symbol, color })));
  return { labels: cards.map((card) => card.label), colors: cards.map((card) => card.color) };
}

export const FAMILIES = ['numbers', 'roulette', 'triple', 'andarbahar', 'lottery3d', 'lottery4d', 'jodi'] as const;

export type FamilyName = (typeof FAMILIES)[number];

export type BuiltInGame = {
  gameId: string;
  gameName: string;
  family: FamilyName;
  /** Number of outcomes; 3000 for 4D (30 sub-series of 100), 300 for jodi (3 tiers of 100). */
  digits: number;
  first: 0 | 1;
  /** Names, unless plain numbers. */
  labels?: readonly string[];
  /** Card games only; wheels get colors from the family. */
  colors?: readonly Color[];
  rowOrder?: readonly number[];
  /** If different from the game's name. `{token}` is the admin's name. */
  panelTitle?: string;
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
/** Display order 0-3, 4-7, 12-15, 8-11 (docs/spec/game-operations.md §2). */
const cards16 = { ...numbers16, ...cardFaces(['A', 'K', 'Q', 'J']), rowOrder: [0, 1, 3, 2] };
const singleZero = { family: 'roulette', digits: 37, first: 0, intervalSeconds: 60 } as const;
const doubleZero = { family: 'roulette', digits: 38, first: 0, intervalSeconds: 60 } as const;

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

export function builtInGame(gameId: string): BuiltInGame | undefined {
  return byKey.get(gameId);
}

export const BUILT_IN_UNIT_PRICE = 100n;

interface SampleGame {
  readonly title: string;
  readonly gameId: string;
}

/** Listed in the specification's order. */
export const SAMPLE_GAMES: readonly SampleGame[] = [
  { title: 'Lucky 12 Coupon', gameId: 'luckycard12' },
  { title: 'Lucky 16', gameId: 'luckycard16' },
  { title: 'Triple Chance', gameId: 'triplefun' },
  { title: 'Roulette', gameId: 'europeanroulette' },
  { title: 'DusKaDum', gameId: 'duskadum' },
  { title: 'Lucky 10 Coupon', gameId: 'lucky10fruit' },
];
