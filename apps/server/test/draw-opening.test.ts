import { createDrawMachine } from '../src/draws/draw-machine.ts';
import { seedVault } from '../src/draws/seeds.ts';
import { ticketHooks } from '../src/tickets/ticket-hooks.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';

const MINUTE_MS = 60_000;

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100, games: ['funtargetbingo', 'fruit12', 'horse12'] });
});
afterEach(() => t.close());

const running = async (): Promise<number> =>
  (await t.db.query('select from draws where opens_at <= $1 and draws_at > $1', [t.clock.now()])).length;

const states = async (): Promise<Record<string, string[]>> => {
  const rows = await t.db.query<{ game_key: string; states: string[] }>(
    `select game_key, array_agg(d.status::text order by opens_at) as states
     from draws d join games g on g.id = d.game_id group by game_key`,
  );
  return Object.fromEntries(rows.map((row) => [row.game_key, row.states]));
};

it('closes, draws, settles and opens all others while a draw is being settled', async () => {
  await t.app.tick();
  const before = await running();
  expect((await t.bet(net.user, { 5: 1 })).status).toBe(201);
  const hooks = ticketHooks(t.app.services);
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const slow = createDrawMachine(t.app.services, seedVault('5a'.repeat(32)), {
    ...hooks,
    async settleTickets(tx, draw) {
      begun.resolve();
      await go.promise;
      return hooks.settleTickets(tx, draw);
    },
  });
  t.clock.advance(MINUTE_MS);
  await slow.step();
  await begun.promise;
  expect(await running()).toBe(before);
  // The next minute passes too.
  t.clock.advance(MINUTE_MS - 1_000);
  await slow.step();
  expect(await states()).toMatchObject({ fruit12: ['settled', 'closed'], horse12: ['settled', 'closed'] });
  t.clock.advance(1_000);
  await slow.step();
  expect(await running()).toBe(before);
  expect(await states()).toEqual({
    funtargetbingo: ['drawn', 'settled', 'open'],
    fruit12: ['settled', 'settled', 'open'],
    horse12: ['settled', 'settled', 'open'],
  });
  go.resolve();
  await slow.idle();
  expect((await states())['funtargetbingo']).toEqual(['settled', 'settled', 'open']);
  await t.expectBooksToBalance();
});

it('opens all others where one can not be opened', async () => {
  await t.app.tick();
  const before = await running();
  const [game] = await t.db.query<{ id: string }>("select id from games where game_key = 'fruit12'");
  await t.db.query(
    `alter table draws add constraint no_more check (game_id <> '${game!.id}' or status <> 'open') not valid`,
  );
  t.clock.advance(10 * MINUTE_MS);
  await expect(t.app.tick()).rejects.toThrow('opening a draw of fruit12');
  expect(await running()).toBe(before - 1);
  expect((await t.bet(net.user, { 5: 1 })).status).toBe(201);
});
