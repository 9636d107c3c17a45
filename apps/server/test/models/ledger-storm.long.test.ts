import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, inject, expect, it } from 'vitest';
import { TestApp } from '../harness.ts';
import { anyRequest, Storm, type Request } from './ledger-storm.ts';

const CONNECTIONS = 8;
const ROUNDS = 12;

let t: TestApp;
let killer: pg.Pool;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: CONNECTIONS, pieceSizes: { wholeUpTo: 1, players: 1 } });
  killer = new pg.Pool({ connectionString: inject('cluster').ownerUrl, max: 1 });
});
afterAll(async () => {
  await t.close();
  await killer.end();
});

const requests = fc.array(fc.record({ request: anyRequest, kill: fc.nat({ max: 4 }) }), {
  minLength: 60,
  maxLength: 100,
});

/** First round of each run: bets of both players, paid in pieces. */
const BETS_AND_SETTLEMENTS = Array.from({ length: 60 }, (_, at): { request: Request; kill: number } => ({
  request: at % 10 === 9 ? { do: 'settle' } : { do: 'bet', player: at % 2 === 0 ? 5 : 6, digit: at % 3, qty: 1 },
  kill: at % 5,
}));

const killOne = (): Promise<unknown> =>
  killer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 order by (state <> 'idle') desc, random() limit 1`,
    [new URL(t.database.ownerUrl).pathname.slice(1)],
  );

it('runs each request once on eight connections whose backends are killed at random', async () => {
  const seed = randomInt(2 ** 31);
  console.log(`the ledger's storm: seed ${seed}`);
  let kills = 0;
  await fc.assert(
    fc.asyncProperty(requests, async (all) => {
      const storm = await Storm.begin(t);
      const waiting = [...all];
      const worker = async (): Promise<void> => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          if (next.kill === 0) {
            kills++;
            await killOne();
          }
          await storm.play(next.request);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      await storm.end();
      await storm.compare();
      for (const repeat of storm.repeats) await repeat();
      await storm.compare();
      await storm.world.retire();
    }),
    { seed, numRuns: ROUNDS, examples: [[BETS_AND_SETTLEMENTS]] },
  );
  expect(kills).toBeGreaterThan(ROUNDS);
  expect((await t.db.query('select from settlement_pieces')).length).toBeGreaterThan(0);
  await t.expectBooksToBalance();
});
