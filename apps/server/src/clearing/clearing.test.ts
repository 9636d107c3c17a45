import { CLEARING_ORDER, deleteRecords, countRecords } from '@drawhouse/contract/clearing/clearing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playNetwork } from '../../test/audit-world.ts';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ logger: (await import('pino')).pino({ level: 'error' }) });
  ({ net } = await playNetwork(t, { confirmed: false }));
  await t.finishDraw();
  t.clock.advance(30 * 3_600_000);
  for (let i = 0; i < 5; i++) await t.app.tick();
  net.admin = await t.signIn(net.admin.username);
}, 60_000);
afterAll(() => t.close());

describe('clearing', () => {
  it('is whole', async () => {
    await t.expectBooksToBalance();
    const body = { startDate: '2026-03-01', endDate: '2026-03-31', models: [...CLEARING_ORDER] };
    console.log(JSON.stringify((await t.call(countRecords, { body }, net.admin)).body, null, 1));
    const reply = await t.call(deleteRecords, { body }, net.admin);
    console.log(JSON.stringify(reply.body, null, 1));
    await t.expectBooksToBalance();
  });
});
