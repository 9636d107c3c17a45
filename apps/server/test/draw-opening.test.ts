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

it('opens the next draws while those before are still being settled', async () => {
  await t.app.tick();
  const before = await running();
  expect(before).toBeGreaterThan(0);
  const hooks = ticketHooks(t.app.services);
  const found: number[] = [];
  // Sealing goes on until the next draws have begun, as it may where there is much to seal.
  const slow = createDrawMachine(t.app.services, seedVault('5a'.repeat(32)), {
    ...hooks,
    async sealTickets(tx, draw) {
      if (found.length === 0) t.clock.set(new Date(draw.draws_at.getTime() + 1_000));
      return hooks.sealTickets(tx, draw);
    },
    async settleTickets(tx, draw) {
      found.push(await running());
      return hooks.settleTickets(tx, draw);
    },
  });
  t.clock.advance(MINUTE_MS - 3_000);
  await slow.tick();
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]).toBe(before);
});

it('opens all others where one can not be opened', async () => {
  await t.app.tick();
  const before = await running();
  const [game] = await t.db.query<{ id: string }>("select id from games where game_key = 'fruit12'");
  await t.db.query(`alter table draws add constraint no_more check (game_id <> '${game!.id}') not valid`);
  t.clock.advance(10 * MINUTE_MS);
  await expect(t.app.tick()).rejects.toThrow('opening a draw of fruit12');
  expect(await running()).toBe(before - 1);
  expect((await t.bet(net.user, { 5: 1 })).status).toBe(201);
});
