import { builtInGame } from '../src/games/catalogue.ts';
import type { GameRules } from '../src/games/game-rules.ts';
import { rulesFor } from '../src/games/rules.ts';

export const rulesOf = (gameId: string): GameRules => rulesFor(builtInGame(gameId)!);

/** Cover every head, in whole points. */
export const SAMPLED_BETS: Record<string, Record<string, bigint>> = {
  funtargetbingo: { 7: 300n, 3: 1200n, 0: 100n },
  titlisorrat: { 12: 500n, 1: 700n },
  europeanroulette: {
    17: 200n,
    0: 900n,
    'split:14-17': 300n,
    'street:16-17-18': 100n,
    'corner:0-1-2-3': 500n,
    'sixline:13-14-15-16-17-18': 700n,
    'dozen:2': 300n,
    'column:2': 100n,
    red: 1300n,
    high: 400n,
  },
  funroulette: { '00': 100n, 36: 400n, 'split:0-00': 200n },
  triplefun: { 'triple:123': 100n, 'double:23': 700n, 'single:3': 2500n, 'single:9': 300n },
  andarbahar: {
    'rank:13': 100n,
    'rank:1': 400n,
    'suit:spade': 500n,
    'suit:heart': 200n,
    'color:red': 900n,
    'color:black': 300n,
  },
  lottery3d: {
    'straight:213': 100n,
    'spbox:123': 200n,
    'dpbox:112': 300n,
    'ap:12': 400n,
    'ap:11': 300n,
    'fp:12': 100n,
    'bp:13': 200n,
    'sp:22': 500n,
  },
  lottery4d: { 1042: 100n, 1043: 300n, 1777: 500n, 5999: 200n },
  acqOpdpL: {
    'K50SILVER|andhar:4': 100n,
    'K50SILVER|jodi:42': 200n,
    'K60GOLD|bahar:2': 300n,
    'K70DIAMOND|andhar:0': 100n,
    'K70DIAMOND|jodi:00': 700n,
  },
};
export const stakesOf = (gameId: string): Map<string, bigint> => new Map(Object.entries(SAMPLED_BETS[gameId]!));
