import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { crashRounds } from './crash.ts';
import { killBetweenSettlementSteps, STEPS } from './kill-between-settlement-steps.ts';

it.each([
  { kills: 'PostgreSQL and server under load', rounds: 5, run: crashRounds },
  { kills: 'the server between settlement steps', rounds: 2 * STEPS.length, run: killBetweenSettlementSteps },
])('keeps each acknowledged bet and ends each draw once in $rounds kills of $kills', async ({ kills, rounds, run }) => {
  const seed = Number(process.env['TORTURE_SEED'] ?? randomInt(2 ** 31));
  console.log(`kills of ${kills}: TORTURE_SEED=${seed}`);
  const lines: string[] = [];
  const { problems, summary } = await run({
    rounds,
    seed,
    size: { networks: 2, playersEach: 8, atOnce: 2 },
    checkEvery: rounds,
    say: (line) => lines.push(line),
  });
  console.log([...lines, summary].join('\n'));
  expect(problems).toEqual([]);
  expect(lines).toHaveLength(rounds);
  // Acknowledged bets.
  expect(Number.parseInt(summary, 10)).toBeGreaterThan(0);
});
