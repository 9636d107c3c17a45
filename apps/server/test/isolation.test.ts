import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import type { App } from '../src/app.ts';
import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import { TestApp } from './harness.ts';
import type { Network } from './harness.ts';

let t: TestApp;
let net: Network;

beforeEach(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
});
afterEach(() => t.close());

/** Another server on the same database. */
function secondServer(logger: Logger): Promise<App> {
  const { db, clock } = t;
  return createApp({
    db,
    clock,
    seedKey: '5a'.repeat(32),
    timeZone: 'Asia/Kolkata',
    logger,
    trustProxy: true,
    version: 'test',
  });
}

it('settles the draws of every other network when one draw fails, and says which one failed', async () => {
  const broken = await t.network({ credit: 100 });
  await t.bet(broken.user, { 1: 1 });
  await t.bet(net.user, { 1: 1 });
  const [draw] = await t.db.query<{ id: string }>('select id from draws where network_id = $1', [broken.networkId]);
  await t.db.query(`alter table draws add constraint no_more check (id <> '${draw!.id}' or result is null) not valid`);

  await expect(t.finishDraw()).rejects.toThrow(draw!.id);
  const states = await t.db.query(
    'select network_id = $1 as broken, status from draws where draws_at <= $2 order by broken',
    [broken.networkId, t.clock.now()],
  );
  expect(states).toEqual([
    { broken: false, status: 'settled' },
    { broken: true, status: 'closed' },
  ]);

  await t.db.query('alter table draws drop constraint no_more');
  await t.app.tick();
  expect(await t.db.query('select status from draws where id = $1', [draw!.id])).toEqual([{ status: 'settled' }]);
  await t.expectBooksToBalance();
});

it('answers the same ticket when two servers get one request at the same moment', async () => {
  const second = await secondServer(pino({ level: 'silent' }));
  for (let round = 0; round < 5; round++) {
    const requestId = randomUUID();
    const payload = { gameId: 'funtargetbingo', requestId, lines: [{ drawno: '1', qty: 1 }] };
    const headers = { authorization: `Bearer ${net.user.token}` };
    const [here, there] = await Promise.all([
      t.bet(net.user, { 1: 1 }, { requestId }),
      second.http.inject({ method: 'POST', url: '/api/app/bet', headers, payload }),
    ]);
    expect([here.status, there.statusCode]).toEqual([201, 201]);
    expect(there.json()).toMatchObject({ ticket: here.body.ticket });
  }
  expect(await t.credit(net.user)).toBe(95);
  await t.expectBooksToBalance();
  await second.close();
});

it('logs why a bet failed that no rule refused', async () => {
  const lines: string[] = [];
  const second = await secondServer(pino({ level: 'error' }, { write: (line) => void lines.push(line) }));
  await t.db.query(`delete from wallets where owner_id = $1 and kind = ${WALLET_KINDS.credit}`, [net.user._id]);
  const payload = { gameId: 'funtargetbingo', requestId: randomUUID(), lines: [{ drawno: '1', qty: 1 }] };
  const headers = { authorization: `Bearer ${net.user.token}` };
  const answer = await second.http.inject({ method: 'POST', url: '/api/app/bet', headers, payload });
  expect(answer.statusCode).toBe(503);
  expect(lines).toEqual([expect.stringContaining('a bet could not be taken')]);
  await second.close();
});
