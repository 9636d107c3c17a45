import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CallError } from '../src/http/errors.ts';
import { TestApp } from './harness.ts';
import { LedgerWorld } from './ledger-world.ts';

/** Connections of the server, and requests under way at any moment. */
const CONNECTIONS = 8;
const ROUNDS = 12;
/** How often a request is sent again after its connection was lost, before the test gives up. */
const TRIES = 60;

let t: TestApp;
let killer: pg.Pool;
let database: string;

beforeAll(async () => {
  t = await TestApp.start({ poolSize: CONNECTIONS });
  const [row] = await t.db.query<{ name: string }>('select current_database() as name');
  database = row!.name;
  killer = new pg.Pool({ connectionString: inject('templateUrl'), max: 1 });
});
afterAll(async () => {
  await t.close();
  await killer.end();
});

const account = fc.integer({ min: 1, max: 6 });
const anyRequest = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      // Managers above and accounts below, so that most are allowed; in both directions, so that they meet.
      by: fc.integer({ min: 0, max: 4 }),
      to: account,
      amount: fc.integer({ min: 1, max: 3_000 }),
      how: fc.constantFrom('transfer', 'credit', 'debit'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bet' as const),
      player: fc.constantFrom(5, 6),
      digit: fc.nat({ max: 9 }),
      qty: fc.integer({ min: 1, max: 9 }),
    }),
  },
  fc.record({ do: fc.constant('toggle' as const), target: fc.integer({ min: 2, max: 6 }), active: fc.boolean() }),
);
const requests = fc.array(fc.record({ request: anyRequest, kill: fc.nat({ max: 4 }) }), {
  minLength: 40,
  maxLength: 80,
});

/** Ends one of the server's connections, a busy one where there is one. */
const killOne = (): Promise<unknown> =>
  killer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 order by (state <> 'idle') desc, random() limit 1`,
    [database],
  );

/** Sends a request until it has an answer, as a client that lost its connection would; null where a rule refused it. */
async function answered<T>(send: () => Promise<T>): Promise<T | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await send();
    } catch (error) {
      if (error instanceof CallError && error.code !== 'NOT_READY') return null;
    }
  }
  throw new Error(`No answer in ${TRIES} tries.`);
}

it(
  'does each request once on eight connections whose backends are killed at random',
  { timeout: 300_000 },
  async () => {
    const seed = randomInt(2 ** 31);
    console.log(`the ledger's storm: seed ${seed}`);
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        const world = await LedgerWorld.start(t);
        for (const [index, parent] of [0, 1, 2, 3, 4, 4].entries())
          expect(await world.create(parent, index)).toBe('ok');
        await t.app.tick();
        await world.transfer(0, 0, 60_000n, 'credit', randomUUID());
        for (let to = 1; to <= 6; to++) await world.transfer(0, to, 10_000n, 'credit', randomUUID());
        const start = await world.balances();
        const expected = [...start.credit];
        let staked = 0n;
        const repeats: (() => Promise<void>)[] = [];

        async function play({ request, kill }: (typeof all)[number]): Promise<void> {
          if (kill === 0) {
            kills++;
            await killOne();
          }
          const key = randomUUID();
          if (request.do === 'toggle') return void (await answered(() => world.toggle(request.target, request.active)));
          if (request.do === 'bet') {
            const { player, digit, qty } = request;
            const send = () => world.place(player, digit, qty, key);
            const first = await answered(send);
            if (first === null) return;
            expected[player]! -= BigInt(qty) * 100n;
            staked += BigInt(qty) * 100n;
            repeats.push(async () => expect(await send()).toMatchObject({ ticket: first.ticket }));
            return;
          }
          const { by, to, how } = request;
          const amount = BigInt(request.amount);
          if (by === to) return;
          const send = () => world.transfer(by, to, amount, how, key);
          const first = await answered(send);
          if (first === null) return;
          const [from, into] = how === 'debit' ? [to, by] : [by, to];
          expected[from]! -= amount;
          expected[into]! += amount;
          repeats.push(async () => expect(await send()).toEqual(first));
        }

        const waiting = [...all];
        const worker = async (): Promise<void> => {
          for (let next = waiting.shift(); next; next = waiting.shift()) await play(next);
        };
        await Promise.all(Array.from({ length: CONNECTIONS }, worker));

        // Killed while idle: the pool finds out at the next use, and only then has eight good ones again.
        for (let target = 1; target <= 6; target++) await answered(() => world.toggle(target, true));
        expect(await world.balances()).toMatchObject({ credit: expected, escrow: staked, issuance: start.issuance });
        for (const repeat of repeats) await repeat();
        expect(await world.balances()).toMatchObject({ credit: expected, escrow: staked });
        expect(await world.problems()).toEqual([]);
        await world.retire();
      }),
      { seed, numRuns: ROUNDS },
    );
    expect(kills).toBeGreaterThan(ROUNDS);
    await t.expectBooksToBalance();
  },
);
