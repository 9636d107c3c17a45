import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { killBetweenSettlementSteps, STEPS } from './kill-between-settlement-steps.ts';

const ROUNDS = 2 * STEPS.length;

it(`ends each draw once, with its committed seed or void, in ${ROUNDS} kills between settlement steps`, async () => {
  const seed = Number(process.env['TORTURE_SEED'] ?? randomInt(2 ** 31));
  console.log(`the steps: TORTURE_SEED=${seed}`);
  const lines: string[] = [];
  const { problems, summary } = await killBetweenSettlementSteps({
    rounds: ROUNDS,
    seed,
    size: { networks: 2, playersEach: 8, atOnce: 2 },
    checkEvery: ROUNDS,
    say: (line) => lines.push(line),
  });
  console.log([...lines, summary].join('\n'));
  expect(problems).toEqual([]);
  expect(lines).toHaveLength(ROUNDS);
});
