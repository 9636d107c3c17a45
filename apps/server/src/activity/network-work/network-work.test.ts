import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENT } from '../../../test/busy-machine.ts';
import { TestApp, type Network } from '../../../test/harness.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { connect, type Database } from '../../platform/db/database.ts';
import { createNetworkWork, type NetworkWork, type Work, type WorkOrder } from './network-work.ts';

let t: TestApp;
let net: Network;
let order: WorkOrder;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 0 });
  order = { adminId: net.admin._id, kind: 'backup', by: net.admin.username };
});
afterAll(() => t.close());

function worker(): NetworkWork {
  return createNetworkWork({ db: t.served, clock: t.clock, connectionString: () => t.database.serverUrl });
}

async function begin(on: NetworkWork): Promise<{ work: Work; end: (answer: unknown) => void; done: Promise<unknown> }> {
  const [begun, ended] = [Promise.withResolvers<Work>(), Promise.withResolvers<unknown>()];
  const done = on.run(order, (work) => {
    begun.resolve(work);
    work.signal.addEventListener('abort', () => ended.reject(work.signal.reason as Error));
    return ended.promise;
  });
  done.catch(begun.reject);
  return { work: await begun.promise, end: ended.resolve, done };
}

it('runs one task per network across servers and names the current one', async () => {
  const [one, other] = [worker(), worker()];
  expect(await other.latest(order.adminId)).toBeUndefined();
  const { work, end, done } = await begin(one);
  work.progress('tickets', 5, 10);
  await expect.poll(() => other.latest(order.adminId)).toMatchObject({ step: 'tickets', done: 5, total: 10 });
  const state = await other.latest(order.adminId);
  expect(state).toMatchObject({ kind: 'backup', by: net.admin.username, finishedAt: null, failure: null });
  await expect(other.run({ ...order, kind: 'restore' }, async () => {})).rejects.toMatchObject({
    code: 'WORK_UNDER_WAY',
    message: `A backup is being made by ${net.admin.username}. Please wait until it has finished.`,
  });
  end({ folder: 'a' });
  expect(await done).toEqual({ folder: 'a' });
  expect(await other.latest(order.adminId)).toMatchObject({
    finishedAt: t.clock.now(),
    answer: { folder: 'a' },
    failure: null,
    done: 5,
  });
  expect(await other.run({ ...order, kind: 'restore' }, async () => 'next')).toBe('next');
});

it('stores progress periodically and each new step immediately', async () => {
  let written = 0;
  const query: Database['query'] = (text, values, name) => {
    if (String(text).startsWith('update network_work set step')) written++;
    return t.served.query(text, values, name);
  };
  const counted = createNetworkWork({
    db: { ...t.served, query },
    clock: t.clock,
    connectionString: () => t.database.serverUrl,
  });
  const { work, end, done } = await begin(counted);
  const arrived = async (step: string, rows: number): Promise<void> => {
    await expect.poll(() => counted.latest(order.adminId)).toMatchObject({ step, done: rows });
  };
  work.progress('tickets', 1, 10);
  await arrived('tickets', 1);
  work.progress('tickets', 2, 10);
  expect(written).toBe(1);
  t.clock.advance(500);
  work.progress('tickets', 3, 10);
  await arrived('tickets', 3);
  work.progress('transfers', 4, 10);
  await arrived('transfers', 4);
  expect(written).toBe(3);
  work.progress('transfers', 5, 10);
  end(null);
  await done;
  expect(await counted.latest(order.adminId)).toMatchObject({ step: 'transfers', done: 5 });
});

it('leaves other networks alone', async () => {
  const elsewhere = await t.network({ credit: 0 });
  const { end, done } = await begin(worker());
  expect(await worker().run({ ...order, adminId: elsewhere.admin._id }, async () => 'done')).toBe('done');
  end(null);
  await done;
});

it("stores a failure's reason for people", async () => {
  const fail = (error: Error) => worker().run(order, () => Promise.reject(error));
  await expect(fail(new Error('relation "secrets" does not exist'))).rejects.toThrow('relation "secrets"');
  expect(await worker().latest(order.adminId)).toMatchObject({
    failure: 'Something went wrong. See the server log.',
  });
  const refusal = new CallError('RULE_REFUSED', { message: 'The disk has no room.' });
  await expect(fail(refusal)).rejects.toThrow(refusal);
  expect(await worker().latest(order.adminId)).toMatchObject({
    finishedAt: t.clock.now(),
    failure: 'The disk has no room.',
    answer: null,
  });
});

it('ends with its server', async () => {
  const one = worker();
  const { done } = await begin(one);
  const [, failed] = await Promise.all([one.stop(), done.catch((error: Error) => error.message)]);
  expect(failed).toBe('The server was stopped.');
  await expect(one.run(order, async () => {})).rejects.toThrow('The server was stopped.');
  expect(await worker().latest(order.adminId)).toMatchObject({ failure: 'The server was stopped.' });
});

it('ends when its lock is lost, and then shows as interrupted', async () => {
  const lost = connect(t.database.serverUrl, { onError: () => {}, ...PATIENT, poolSize: 2 });
  const one = createNetworkWork({ db: lost, clock: t.clock, connectionString: () => t.database.serverUrl });
  const { done } = await begin(one);
  await lost.close();
  await t.db.query(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  );
  await expect(done).rejects.toThrow('The database');
  // PostgreSQL reports a disconnect before cleanup ends.
  await expect
    .poll(() => worker().latest(order.adminId))
    .toMatchObject({
      finishedAt: expect.any(Date) as Date,
      failure: 'The server stopped before this was finished. Please start it again.',
    });
  expect(await worker().run(order, async () => 'again')).toBe('again');
});
