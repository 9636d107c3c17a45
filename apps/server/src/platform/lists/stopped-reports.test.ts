import { turnoverReport } from '@drawhouse/contract/reports/turnover';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reader } from '../db/database.ts';
import { fileReader, readReport } from './read-report.ts';
import { listen, TestApp, type SignedIn } from '../../../test/harness.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';

let t: TestApp;
let root: SignedIn;
let address: string;
const LONG_QUERY = 'select pg_sleep(600)';
const PERIOD = 'startDate=2026-03-10T00:00:00.000Z&endDate=2026-03-10T23:59:59.999Z';

beforeAll(async () => {
  t = await TestApp.start();
  address = await listen(t.app);
  root = await t.signIn('superadmin');
});
afterAll(() => t.close());

const call = () => ({ actor: { id: root._id, role: 'superadmin' }, aborted: new AbortController().signal }) as never;

const running = () =>
  t.db.query(
    "select query from pg_stat_activity where datname = current_database() and query = $1 and state = 'active'",
    [LONG_QUERY],
  );

const READS: [string, (on: Reader) => Promise<unknown>][] = [
  ['a statement', (on) => on.query(LONG_QUERY)],
  ['a snapshot', (on) => on.snapshot((inside) => inside.query(LONG_QUERY))],
];

it.each(READS)('a slow report is stopped within %s and says so', async (_name, read) => {
  const services = { ...t.app.services, db: t.served };
  await expect(readReport(services, call(), read, 1_000)).rejects.toMatchObject({
    code: 'REPORT_STOPPED',
    status: 422,
    message: 'This took longer than a second and was stopped. Ask for less, such as a shorter period.',
  });
  await expect.poll(running).toEqual([]);
  expect(await t.served.reports.query('select 1 as one')).toEqual([{ one: 1 }]);
});

it("a statement stopped by PostgreSQL's own timeout reports the same", async () => {
  const impatient = (on: Reader) => on.query("set statement_timeout = '20ms'; select pg_sleep(600)");
  const { db: _db, ...services } = t.app.services;
  const own = await t.beside();
  try {
    await expect(readReport({ ...services, db: own.served }, call(), impatient)).rejects.toMatchObject({
      code: 'REPORT_STOPPED',
      message: 'This took longer than 15 seconds and was stopped. Ask for less, such as a shorter period.',
    });
  } finally {
    await own.close();
  }
});

it.each([
  ['page', `${turnoverReport.route.path}?${PERIOD}`],
  ['file', `${turnoverReport.files[0]!.route.path}?${PERIOD}`],
])('reading a %s stops when its client disconnects', async (_name, path) => {
  const leaving = new AbortController();
  await t.db.transaction(async (tx) => {
    await tx.query('lock table rollups in access exclusive mode');
    const asked = fetch(`${address}/api/${path}`, {
      headers: { authorization: `Bearer ${root.token}` },
      signal: leaving.signal,
    });
    await untilWaiting(t);
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    await untilWaiting(t, 0);
  });
});

it("one caller's exports always leave a connection to others", async () => {
  const services = { ...t.app.services, db: t.served };
  const other = { actor: { id: 'another', role: 'admin' }, aborted: new AbortController().signal } as never;
  const mine: Promise<object[]>[] = [];
  await t.db.transaction(async (tx) => {
    await tx.query('lock table pinned_settings in access exclusive mode');
    for (let file = 0; file < 50; file++)
      mine.push(fileReader(services, call()).query('select count(*) as count from pinned_settings'));
    await untilWaiting(t, 2);
    expect(await fileReader(services, other).query('select 1 as one')).toEqual([{ one: 1 }]);
    await untilWaiting(t, 2);
  });
  expect(await Promise.all(mine)).toHaveLength(50);
});

it("a caller's third concurrent report waits, another caller's does not", async () => {
  const services = { ...t.app.services, db: t.served };
  let begun = 0;
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const read = async () => {
    begun++;
    await finished;
  };
  const other = { actor: { id: 'another', role: 'admin' }, aborted: new AbortController().signal } as never;
  const mine = [1, 2, 3].map(() => readReport(services, call(), read));
  await expect.poll(() => begun).toBe(2);
  const theirs = readReport(services, other, read);
  await expect.poll(() => begun).toBe(3);
  finish();
  await Promise.all([...mine, theirs]);
  expect(begun).toBe(4);
});
