import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ask, createDatabase, type TestDatabase } from '../../../test/test-databases.ts';
import { PROBE_TIMEOUTS, withClient } from './connection/dedicated-connections.ts';
import { sweepScratchDatabases, NoScratchDatabase, withScratchDatabase } from './scratch-database.ts';

const never = new AbortController().signal;
let own: TestDatabase;
let prefix: string;

const read = async (url: string, sql: string): Promise<string[]> =>
  withClient(url, PROBE_TIMEOUTS, async (client) =>
    (await client.query<{ value: string }>(sql)).rows.map(({ value }) => value),
  );
const found = () =>
  read(own.ownerUrl, `select datname as value from pg_database where starts_with(datname, '${prefix}')`);

beforeAll(async () => {
  own = await createDatabase(inject('cluster'));
  [prefix] = (await read(
    own.ownerUrl,
    `select 'drawhouse_scratch_' || oid || '_' as value from pg_database where datname = current_database()`,
  )) as [string];
});
afterAll(() => own.drop());

it('is empty, encoded like its neighbor, and dropped at the end or on request', async () => {
  const encoding = `select current_setting('server_encoding') || ' ' || datcollate || ' ' || datctype as value
    from pg_database where datname = current_database()`;
  await withScratchDatabase(own.ownerUrl, never, async ({ name, url, drop }) => {
    expect(await found()).toEqual([name]);
    expect(await read(url, encoding)).toEqual(await read(own.ownerUrl, encoding));
    expect(
      await read(url, `select relname as value from pg_class where relnamespace = 'public'::regnamespace`),
    ).toEqual([]);
    await drop();
    expect(await found()).toEqual([]);
  });
  const failed = withScratchDatabase(own.ownerUrl, never, () => Promise.reject(new Error('it failed')));
  await expect(failed).rejects.toThrow('it failed');
  expect(await found()).toEqual([]);
});

it('is not created by a role without the right or for ended work', async () => {
  const made = withScratchDatabase(own.serverUrl, never, async () => undefined);
  await expect(made).rejects.toThrow(NoScratchDatabase);
  await expect(made).rejects.toThrow('permission denied to create database');
  const ended = withScratchDatabase(own.ownerUrl, AbortSignal.abort(new Error('it ended')), async () => undefined);
  await expect(ended).rejects.toThrow('it ended');
  expect(await found()).toEqual([]);
});

it('ends before others could take it for abandoned', async () => {
  const lost = withScratchDatabase(own.ownerUrl, never, async ({ signal }) => {
    await ask(
      own.ownerUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'drawhouse lock'`,
    );
    await expect.poll(() => signal.aborted).toBe(true);
    signal.throwIfAborted();
  });
  await expect(lost).rejects.toThrow('The database did not answer');
  expect(await found()).toEqual([]);
});

it("drops a killed process's file with same-named ones; used and foreign ones stay", async () => {
  const [left, gone] = [`${prefix}0123456789ab`, `${prefix}ba9876543210`];
  await ask(own.ownerUrl, `create database ${left}`);
  await withScratchDatabase(own.ownerUrl, never, async ({ name }) => {
    const forgotten: string[] = [];
    const others = [
      gone,
      name,
      `${prefix}x`,
      `${gone}x`,
      'drawhouse_scratch_1_0123456789ab',
      '2026-03-10T10-00-00Z-000000',
    ];
    const forget = async (one: string): Promise<void> => void forgotten.push(one);
    // The serving role may not drop it; that must not block the rest.
    await sweepScratchDatabases(own.serverUrl, others, forget);
    expect([await found(), forgotten]).toEqual([expect.arrayContaining([left, name]), [gone]]);
    await sweepScratchDatabases(own.ownerUrl, others, forget);
    expect([await found(), forgotten]).toEqual([[name], [gone, left, gone]]);
  });
});
