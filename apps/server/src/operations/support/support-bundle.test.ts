import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPromise } from 'yauzl';
import { TestApp, type Network } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { logFilesOf } from '../../platform/log/log-file.ts';
import { SETTINGS } from '../../config/setting-names.ts';
import { redactLines } from './redact-log.ts';
import { secretsIn, redactAddress, redactSettings, readBundle, writeBundle } from './write-bundle.ts';

let t: TestApp;
let net: Network;
let folder: string;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 123_456 });
  await t.bet(net.user, { '5': 77 });
  folder = await mkdtemp(path.join(tmpdir(), 'bundle-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await t.close();
});

const SECRETS = {
  BACKUP_KEY: `AGE-SECRET-KEY-1${'Q'.repeat(58)}`,
  BACKUP_TRANSFER_URL: 's3://AKIAEXAMPLEID@bucket/prefix?region=eu-west-1',
  BACKUP_TRANSFER_SECRET: 'transfer-secret-1',
  SUPERADMIN_PASSWORD: 'superadmin-secret-2',
  SEED_KEY: '5a'.repeat(32),
  SEAL_KEY: '6b'.repeat(32),
  SIGNUP_RETAILER: 'some-retailer-name',
  // Each is invalid, yet errors must not reveal it.
  SEED_KEY_COMMAND: "vault --token=command-secret-3 'unended",
  SEAL_WITNESSE: 'mistyped-secret-4',
};

async function filesIn(file: string): Promise<Map<string, string>> {
  const zip = await openPromise(file);
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  return files;
}

it('contains useful facts without secrets, account names or credit', async () => {
  const finding = `account ${net.retailer.username} holds 123456.00`;
  await t.db.query(
    "insert into audit_verdicts (id, at, scope, checks, problems, finding) values (gen_random_uuid(), now(), 'whole', 40, 1, $1)",
    [finding],
  );
  const env = {
    ...SECRETS,
    DATABASE_URL: t.database.serverUrl,
    DATABASE_OWNER_URL: t.database.ownerUrl,
    DATA_DIR: folder,
    PORT: '0',
  };
  const [log] = logFilesOf(folder, 3000);
  await mkdir(path.dirname(log));
  const lines = [
    {
      level: 50,
      time: 1_795_000_000_000,
      requestId: '01ABC',
      code: 'INTERNAL',
      path: `/x/${net.user.username}`,
      error: {
        message: `Key (username)=(${net.user.username}) exists, 123456.00`,
        code: '23505',
        stack:
          `DatabaseError: Key (username)=(${net.user.username})\n at line ${net.user._id}\n    at Parser.parse ` +
          '(file:///opt/drawhouse/x.ts:1:2)',
      },
      msg: 'call failed',
    },
    {
      level: 30,
      time: 1_795_000_000_001,
      method: 'GET',
      route: '/api/users/:id',
      status: 200,
      ms: 1.5,
      account: net.user._id,
      msg: 'call',
    },
    {
      level: 40,
      time: 1_795_000_000_002,
      admin: net.admin.username,
      msg: `a notice was not sent: ${net.admin.username} said so`,
    },
    {
      level: 40,
      time: 1_795_000_000_003,
      reason: `${net.admin.username} 123456.00 of it`,
      code: ['x'],
      msg: `"${net.admin.username}"`,
    },
  ];
  await writeFile(log, [...lines.map((line) => JSON.stringify(line)), 'no line of ours', '{"time":1'].join('\n'));
  const file = path.join(folder, 'bundle.zip');
  await writeBundle(file, await readBundle({ env, clock: t.clock, version: '1.2.3' }), t.clock.now());
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const files = await filesIn(file);
  const names = [
    'README.txt',
    'versions.json',
    'settings.json',
    'doctor.txt',
    'doctor.json',
    'figures.json',
    'server-3000.log',
    'server-log.txt',
  ];
  expect([...files.keys()]).toEqual(names.map((name) => `drawhouse-support/${name}`));

  const all = [...files.values()].join('\n');
  const passwords = [t.database.serverUrl, t.database.ownerUrl].map((url) => new URL(url).password);
  const accounts = await t.db.query<{ username: string; unique_id: string; id: string }>(
    "select username, unique_id, id from accounts where role <> 'superadmin'",
  );
  const kept = [
    ...Object.entries(SECRETS).flatMap(([name, value]) =>
      name === 'BACKUP_TRANSFER_URL' ? ['AKIAEXAMPLEID'] : [value],
    ),
    'command-secret-3',
    PASSWORD,
    '123456.00',
    '12345600',
    '123,456',
    ...passwords,
    ...accounts.flatMap(({ username, unique_id, id }) => [username, unique_id, id]),
  ];
  expect(kept.length).toBeGreaterThan(25);
  for (const secret of kept) expect(all.includes(secret), `it tells ${secret}`).toBe(false);

  const logLines = files.get('drawhouse-support/server-3000.log')!.trim().split('\n');
  expect(logLines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      time: '2026-11-18T11:06:40.000Z',
      level: 50,
      requestId: '01ABC',
      code: 'INTERNAL',
      msg: 'call failed',
      error: { kind: 'DatabaseError', code: '23505', at: ['at Parser.parse (file:///opt/drawhouse/x.ts:1:2)'] },
    },
    {
      time: '2026-11-18T11:06:40.001Z',
      level: 30,
      method: 'GET',
      route: '/api/users/:id',
      status: 200,
      ms: 1.5,
      msg: 'call',
    },
    { time: '2026-11-18T11:06:40.002Z', level: 40, msg: 'a notice was not sent' },
    { time: '2026-11-18T11:06:40.003Z', level: 40, msg: '' },
  ]);
  const figures = JSON.parse(files.get('drawhouse-support/figures.json')!) as {
    tables: { name: string }[];
    audits: { whole: object };
    backups: object[];
  };
  expect(figures.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['tickets', 'transfers', 'activity']));
  expect(figures.audits.whole).toMatchObject({ checks: 40, problems: 1 });
  expect(figures.backups).toEqual([{ network: net.networkId, whole: 0, notWhole: 0, newest: null, inTrouble: false }]);
  expect(files.get('drawhouse-support/figures.json')).not.toContain('"unread"');
  expect(files.get('drawhouse-support/doctor.txt')).toMatch(/FAULT {4}audit.*found 1 problem/);
  expect(JSON.parse(files.get('drawhouse-support/versions.json')!)).toMatchObject({ drawhouse: '1.2.3' });
  await expect(writeBundle(file, {}, t.clock.now())).rejects.toThrow('EEXIST');
});

it('shows only what is allowed of each setting', () => {
  const redacted = redactSettings(
    Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, 'postgres://anna:secret@host/db'])),
  );
  const wanted = {
    'as it is': 'postgres://anna:secret@host/db',
    'as an address': 'postgres://anna:…@host/db',
    'as addresses': 'postgres://anna:…@host/db',
    'that it is set': '(set)',
  };
  expect(redacted).toEqual(
    Object.fromEntries(Object.entries(SETTINGS).map(([name, { disclosure }]) => [name, wanted[disclosure]])),
  );
  expect(redactSettings({ DATABASE_URL: 'postgres://anna:48213,xyz@host/db' })).toEqual({
    DATABASE_URL: 'postgres://anna:…@host/db',
  });
  expect(redactSettings({ HOME: 'x', SEAL_DRI: 'y' })).toEqual({ SEAL_DRI: '(set, but not a setting)' });
});

it.each([
  [
    'postgres://anna:p%40ss@host:5432/db?sslmode=require&password=other',
    'postgres://anna:…@host:5432/db?sslmode=require&password=…',
    ['p%40ss', 'p@ss', 'other'],
  ],
  ['s3://AKIAID@bucket/p?endpoint=https://store.example', 's3://…@bucket/p?endpoint=https://store.example', ['AKIAID']],
  ['sftp://user@host/backups', 'sftp://user@host/backups', []],
  ['https://beacon.example#abcd', 'https://beacon.example/#abcd', []],
  ['postgres://anna:48213,xyz@host/db', 'postgres://anna:…@host/db', ['48213,xyz']],
  [
    'postgres://anna:pw12@a:1,b:2/db?target_session_attrs=read-write',
    'postgres://anna:…@a:1,b:2/db?target_session_attrs=read-write',
    ['pw12'],
  ],
  ['postgres://anna:p@ss/word@host/db', '(set, but not a valid address)', ['postgres://anna:p@ss/word@host/db']],
  ['postgres://anna:12?3@host/db', '(set, but not a valid address)', ['postgres://anna:12?3@host/db']],
])('shows address %s without credentials', (address, shown, secrets) => {
  expect(redactAddress(address)).toBe(shown);
  expect(secretsIn({ DATABASE_URL: address })).toEqual(expect.arrayContaining(secrets));
});

it("shows PostgreSQL's log lines without row data", () => {
  const log = [
    '2026-11-26 20:40:00.123 UTC [12] LOG:  database system is ready to accept connections',
    '2026-11-26 20:40:01.123 UTC [13] ERROR:  duplicate key value violates unique constraint "accounts_username"',
    '2026-11-26 20:40:01.123 UTC [13] DETAIL:  Key (lower(username))=(anna) already exists.',
    '2026-11-26 20:40:01.123 UTC [13] STATEMENT:  insert into accounts',
    "\tvalues ('anna')",
    '2026-11-26 20:40:02.123 UTC [13] ERROR:  invalid input syntax for type uuid: "anna"',
    '2026-11-26 20:40:03.123 UTC [13] FATAL:  could not write to file "pg_wal/xlogtemp.13": No space left on device',
    '',
  ].join('\n');
  expect(redactLines(log).split('\n')).toEqual([
    '2026-11-26 20:40:00.123 UTC [12] LOG:  database system is ready to accept connections',
    '2026-11-26 20:40:01.123 UTC [13] ERROR:  duplicate key value violates unique constraint "accounts_username"',
    '2026-11-26 20:40:02.123 UTC [13] ERROR:  invalid input syntax for type uuid: "…"',
    '2026-11-26 20:40:03.123 UTC [13] FATAL:  could not write to file "pg_wal/xlogtemp.13": No space left on device',
    '',
  ]);
});
