import { createHash } from 'node:crypto';
import { BOOSTER_WEIGHT_SUM, boosterOdds } from '@drawhouse/rules/fair/booster';
import { SUITS } from '@drawhouse/rules/games/catalogue';
import { generateDraw, type DrawInputs, type Drawn } from '@drawhouse/rules/fair/fair';
import { rulesFor, type GameIdentity, type GameRules, type Result } from '@drawhouse/rules/games/rules';
import { atLeast, chiSquareTail, chiSquareTest, runsTest, serialTest, type Tested } from './statistics.ts';

export interface StudiedGame extends GameIdentity {
  readonly outcomes: string;
}

/** Games with equal family and outcome count draw the same way. */
export const STUDIED_GAMES: readonly StudiedGame[] = [
  { gameId: 'funtargetbingo', family: 'numbers', digits: 10, outcomes: '10' },
  { gameId: 'titlisorrat', family: 'numbers', digits: 12, outcomes: '12' },
  { gameId: 'miniroulette', family: 'roulette', digits: 13, outcomes: '13' },
  { gameId: 'pingpong1', family: 'numbers', digits: 16, outcomes: '16' },
  { gameId: 'europeanroulette', family: 'roulette', digits: 37, outcomes: '37' },
  { gameId: 'roulette', family: 'roulette', digits: 38, outcomes: '38' },
  { gameId: 'andarbahar', family: 'andarbahar', digits: 13, outcomes: '52: 13 ranks × 4 suits' },
  { gameId: 'of 100 numbers', family: 'numbers', digits: 100, outcomes: '100' },
  { gameId: 'triplefun', family: 'triple', digits: 1000, outcomes: '1,000' },
  { gameId: 'lottery3d', family: 'lottery3d', digits: 1000, outcomes: '1,000' },
  { gameId: 'acqOpdpL', family: 'jodi', digits: 300, outcomes: '3 × 100' },
  { gameId: 'lottery4d', family: 'lottery4d', digits: 3000, outcomes: '30 × 100' },
];

export interface GameTests {
  readonly game: StudiedGame;
  /** Outcome counts, summed over groups. */
  readonly uniform: Tested & { readonly degrees: number };
  /** First two groups combined (10,000 outcomes); null without groups. */
  readonly pairs: (Tested & { readonly degrees: number }) | null;
  readonly runs: Tested;
  readonly serial: Tested;
  readonly boosters: Tested & { readonly degrees: number };
}

/** Tests inject a broken draw. */
export type Draw = (inputs: DrawInputs) => Drawn;

/** Numbers choices from 0 to n − 1. */
function readerOf(rules: GameRules): { n: number; read: (result: Result) => number[] } {
  if (rules.cardTypes) {
    const suits = SUITS.map(({ suit }) => suit);
    return {
      n: rules.outcomes.length * suits.length,
      read: (result) =>
        'suit' in result ? [(Number(result.drawno) - 1) * suits.length + suits.indexOf(result.suit)] : [],
    };
  }
  if (rules.outcomes.some(({ series }) => series !== undefined)) {
    return { n: 100, read: (result) => ('winners' in result ? Object.values(result.winners).map(lastTwo) : []) };
  }
  const places = new Map(rules.outcomes.map(({ drawno }, index) => [drawno, index]));
  return {
    n: places.size,
    read: (result) => ('drawno' in result ? [places.get(result.drawno) ?? -1] : []),
  };
}

function lastTwo(drawno: string): number {
  return Number(drawno.slice(-2));
}

/** Keeps every booster frequent enough to test. */
function weightsFor(max: number): number[] {
  return boosterOdds({ baseReturn: 1, winPercentage: max === 2 ? 130 : 600, max });
}

/** Each draw has its own seed: SHA-256 of `series name:index`. Fixed seeds make the run reproducible. */
export function testDraws(
  game: StudiedGame,
  draws: number,
  { draw = generateDraw, series = '1' }: { draw?: Draw; series?: string } = {},
): GameTests {
  const seedOf = (index: number): Uint8Array =>
    createHash('sha256').update(`${series} ${game.gameId}:${index}`).digest();
  const rules = rulesFor(game);
  const weights = weightsFor(rules.maxBooster);
  const { n, read } = readerOf(rules);
  const groups = read(draw({ rules, weights, seed: seedOf(0), drawId: '0' }).result).length;
  const values = new Uint16Array(draws * groups);
  const counts = Array.from({ length: groups }, () => new Uint32Array(n));
  const pairs = groups > 1 ? new Uint32Array(n * n) : null;
  const boosters = new Uint32Array(rules.maxBooster);
  for (let index = 0; index < draws; index++) {
    const { result, booster } = draw({ rules, weights, seed: seedOf(index), drawId: `${game.gameId}-${index}` });
    const chosen = read(result);
    for (let group = 0; group < groups; group++) {
      values[index * groups + group] = chosen[group]!;
      counts[group]![chosen[group]!]!++;
    }
    if (pairs) pairs[chosen[0]! * n + chosen[1]!]!++;
    boosters[booster - 1]!++;
  }
  const equal = (length: number): number[] => Array<number>(length).fill(1);
  const each = counts.map((count) => chiSquareTest(count, equal(n)));
  const statistic = each.reduce((sum, test) => sum + test.statistic, 0);
  const degrees = each.reduce((sum, test) => sum + test.degrees, 0);
  return {
    game,
    uniform: { statistic, degrees, p: chiSquareTail(statistic, degrees) },
    pairs: pairs && chiSquareTest(pairs, equal(n * n)),
    runs: runsTest(values, n),
    serial: serialTest(values, n),
    boosters: chiSquareTest(
      boosters,
      weights.map((weight) => weight / BOOSTER_WEIGHT_SUM),
    ),
  };
}

/** One fair draw in a hundred fails at this level. */
const LEVEL = 0.01;
const DOUBT = 0.001;

export interface Verdict {
  readonly tests: number;
  /** Failures at 99 %, and failures expected from a fair draw. */
  readonly rejected: number;
  readonly expected: number;
  readonly least: number;
  readonly fair: boolean;
}

/** A fair draw also fails one test in a hundred, so one failure proves nothing. */
export function judge(found: readonly GameTests[]): Verdict {
  const p = found.flatMap(({ uniform, pairs, runs, serial, boosters }) =>
    [uniform, pairs, runs, serial, boosters].flatMap((test) => (test ? [test.p] : [])),
  );
  const rejected = p.filter((value) => value < LEVEL).length;
  const least = Math.min(...p);
  const fair = atLeast(rejected, p.length, LEVEL) >= DOUBT && least >= DOUBT / p.length;
  return { tests: p.length, rejected, expected: p.length * LEVEL, least, fair };
}
