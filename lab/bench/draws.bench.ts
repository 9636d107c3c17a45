import { judge, STUDIED_GAMES, testDraws, type GameTests } from './measure/draw-tests.ts';
import type { Tested } from './measure/statistics.ts';

const DRAWS = 1_000_000;

const HEAD = ['game', 'outcomes', 'chi-square', 'p', 'pairs: p', 'runs: z', 'p', 'serial: z', 'p', 'boosters', 'p'];

function chance({ p }: Tested): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4);
}

function chiSquare({ statistic, degrees }: Tested & { degrees: number }): string {
  return `${statistic.toFixed(1)} of ${degrees.toLocaleString('en-US')}`;
}

function row({ game, uniform, pairs, runs, serial, boosters }: GameTests): string[] {
  return [
    game.gameId,
    game.outcomes,
    chiSquare(uniform),
    chance(uniform),
    pairs ? chance(pairs) : '',
    runs.statistic.toFixed(2),
    chance(runs),
    serial.statistic.toFixed(2),
    chance(serial),
    chiSquare(boosters),
    chance(boosters),
  ];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/**
 * Tests a million results per game at 99 %; prints the table of docs/fairness.md. An argument selects another series of
 * seeds.
 */
export async function benchDraws(): Promise<void> {
  const series = process.argv[3] ?? '1';
  console.log(`${DRAWS.toLocaleString('en-US')} draws of each game, series ${series}\n`);
  console.log(line(HEAD));
  console.log(line(HEAD.map((_, index) => (index < 2 ? '---' : '---:'))));
  const found: GameTests[] = [];
  for (const game of STUDIED_GAMES) {
    const tests = testDraws(game, DRAWS, { series });
    found.push(tests);
    console.log(line(row(tests)));
  }
  const { tests, rejected, expected, least, fair } = judge(found);
  console.log(
    `\n${tests} tests at 99 %: ${rejected} rejected, ${expected.toFixed(2)} expected of a fair draw; the least p is ${least.toFixed(5)}.`,
  );
  console.log(fair ? 'As a fair draw gives.' : 'A fair draw gives this less than once in a thousand times.');
  if (!fair) process.exitCode = 1;
}
