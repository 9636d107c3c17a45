import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../harness.ts';
import { anyCommand, anyLimits } from './interleaving-commands.ts';
import { faultsOf } from './interleaving-model.ts';
import { InterleavingWorld } from './interleaving-world.ts';

/** `npm run lab -- torture` plays 10,000. */
const INTERLEAVINGS = Number(process.env['INTERLEAVINGS'] ?? 200);
const SEED = Number(process.env['INTERLEAVINGS_SEED'] ?? randomInt(2 ** 31));
const AUDIT_EVERY = 2_000;

let t: TestApp;
let world: InterleavingWorld;

const TWO_PLAYERS: Parameters<InterleavingWorld['play']> = [
  { perNumber: null, perTicket: null, perPlayer: null },
  [0, 1].map((player) => {
    const bet = { do: 'bet', server: player, player, lines: [[1, 3]], share: 100, named: true } as const;
    return { ...bet, twice: player === 1 };
  }),
  fc.sample(fc.scheduler(), { seed: SEED, numRuns: 1 })[0]!,
];

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 1, players: 1 } });
  world = await InterleavingWorld.start(t);
});
afterAll(async () => {
  await world.close();
  await t.close();
});

it(
  `takes bets, closes, settles, voids and signs out serializably in ${INTERLEAVINGS} interleavings`,
  { timeout: 60_000 + INTERLEAVINGS * 1_000 },
  async () => {
    console.log(`the interleavings: INTERLEAVINGS_SEED=${SEED}`);
    let played = 0;
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        anyLimits,
        fc.array(anyCommand, { minLength: 2, maxLength: 6 }),
        fc.scheduler(),
        async (limits, commands, scheduler) => {
          const result = await world.play(limits, commands, scheduler);
          for (const { command, code } of result.events) {
            const name = `${command.do} ${code ?? 'ok'}`;
            outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
          }
          expect(faultsOf(result)).toEqual([]);
          if (++played % AUDIT_EVERY === 0) await t.expectBooksToBalance();
        },
      ),
      { seed: SEED, numRuns: INTERLEAVINGS, examples: [[...TWO_PLAYERS]] },
    );
    console.log([...outcomes].map(([name, count]) => `${name}: ${count}`).join(', '));
    expect((await t.db.query('select from settlement_pieces')).length).toBeGreaterThan(0);
    await t.expectBooksToBalance();
  },
);
