import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { crashRounds } from './crash.ts';

const ROUNDS = 5;

it(`loses no acknowledged bet and settles no draw twice in ${ROUNDS} kills of PostgreSQL and server under load`, async () => {
  const seed = Number(process.env['TORTURE_SEED'] ?? randomInt(2 ** 31));
  console.log(`the crash rounds: TORTURE_SEED=${seed}`);
  const lines: string[] = [];
  const { problems, summary } = await crashRounds({
    rounds: ROUNDS,
    seed,
    size: { networks: 2, playersEach: 8, atOnce: 2 },
    checkEvery: ROUNDS,
    say: (line) => lines.push(line),
  });
  console.log([...lines, summary].join('\n'));
  expect(problems).toEqual([]);
  expect(lines).toHaveLength(ROUNDS);
  expect(Number.parseInt(summary, 10)).toBeGreaterThan(0);
});
