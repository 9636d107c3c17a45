import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendActivity } from './append-activity.ts';
import { TestApp, type Network } from '../../test/harness.ts';

interface Row {
  network: number;
  at: Date;
  detail: Record<string, unknown>;
}

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());

async function lastRow(): Promise<Row> {
  const [row] = await t.db.query<Row>(
    `select l.network_id as network, l.at, l.detail from activity l join accounts a on a.network_id = l.network_id
     where a.id = $1 order by l.seq desc limit 1`,
    [net.admin._id],
  );
  return row!;
}

async function logAhead(byMs: number): Promise<Date> {
  const ahead = new Date(t.clock.now().getTime() + byMs);
  const { network } = await lastRow();
  const entry = { accountId: null, username: 'x', subject: 'ahead', origin: { url: '', method: '', ip: '' } };
  const services = { clock: { now: () => ahead }, newId: t.app.services.newId };
  await t.db.transaction((tx) => appendActivity(tx, network, services, [entry]));
  return ahead;
}

describe('a row visible only after its time', () => {
  it.each([
    ['keeps when that was', 60_001, true],
    ['says nothing of it up to a minute', 60_000, false],
  ])('%s, and the audit agrees', async (_what, byMs, keeps) => {
    net = await t.network({ credit: 100 });
    await t.give(net.superadmin, net.superadmin, 5);
    await t.give(net.superadmin, net.admin, 5);
    const ahead = await logAhead(byMs);
    const written = t.clock.now();
    await t.give(net.admin, net.superdistributor, 5);
    const { at, detail } = await lastRow();
    expect(at).toEqual(ahead);
    expect(detail).toHaveProperty('transferId');
    expect(detail['clock']).toBe(keeps ? written.toISOString() : undefined);
    await t.expectBooksToBalance();
  });
});
