import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { cellKills } from './cell-kills.ts';

/** One of each kind. `npm run lab -- torture --parts cells` makes more. */
const ROUNDS = 5;

it(`keeps a network open in one cell and each bet once in ${ROUNDS} moves with kills and hangs`, async () => {
  const seed = Number(process.env['TORTURE_SEED'] ?? randomInt(2 ** 31));
  console.log(`the kills of cells: TORTURE_SEED=${seed}`);
  const { problems, summary } = await cellKills({ rounds: ROUNDS, seed, say: (line) => console.log(line) });
  console.log(summary);
  expect(problems).toEqual([]);
});
