import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../test/processes/free-port.ts';
import { listen, TestApp } from '../../../test/harness.ts';
import { WEBHOOK_SECRET } from '../../../test/processes/webhook-receiver.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { roleOf } from '../../platform/db/connection/granted-rights.ts';
import { requireSameSeedKey } from '../../platform/settings/pinned-settings.ts';
import { readUnreadSlots } from '../../platform/db/connection/read-cluster.ts';
import { slotNotices } from '../health/server-health.ts';
import { slotFindings } from './check-database.ts';
import { checkFolder, checkPort, probeMetricsPort, probePort } from './check-machine.ts';
import { examine } from './examine.ts';
import { type Finding, findingText, type Subject } from './findings.ts';
import { withSurroundings } from './surroundings.ts';

const KEY = '5a'.repeat(32);

let t: TestApp;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'doctor-'));
  t = await TestApp.start();
  await t.network({ credit: 0 });
  await requireSameSeedKey(t.db, KEY);
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await t.close();
});

type Env = Readonly<Record<string, string>>;
const look = (env: Env): Promise<readonly Finding[]> => withSurroundings(env, systemClock, examine);
const served = (more: Env = {}): Env => ({
  DATABASE_URL: t.database.serverUrl,
  DATABASE_OWNER_URL: t.database.ownerUrl,
  DATA_DIR: dataDir,
  SEED_KEY: KEY,
  NOTIFY_URL: 'https://alerts.example',
  NOTIFY_SECRET: WEBHOOK_SECRET,
  PORT: '0',
  ...more,
});
const about = (found: readonly Finding[], of: Subject): string[] =>
  found.filter((finding) => finding.of === of).map(({ state, says }) => `${state}: ${says}`);

describe('the doctor on a database', () => {
  it('finds only real faults, suggests remedies, and writes nothing', async () => {
    const found = await look(served());
    expect(found.filter(({ state }) => state === 'fault').map(({ says }) => says)).toEqual([
      expect.stringContaining('fsync is off'),
    ]);
    expect(found.filter(({ state, todo }) => (todo === undefined) !== (state === 'ok'))).toEqual([]);
    expect(about(found, 'server')).toEqual(['warning: No server is running.']);
    expect(about(found, 'seed key')).toEqual(['ok: The seed key is correct and is stored apart from the database.']);
    expect(about(found, 'roles')[0]).toMatch(/^ok: The server's role owns nothing/);
    expect(about(found, 'backups')[0]).toMatch(/^warning: 1 of 1 network has no intact backup/);
    expect(findingText(found.find(({ of }) => of === 'backups')!)).toMatch(
      /^warning {2}backups.*\n +- admin-\d+\n +Set BACKUP_SCHEDULE/,
    );
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('finds replication slots that nobody reads', async () => {
    const slot = 'drawhouse_unread';
    await t.byHand(`select pg_create_physical_replication_slot('${slot}', true)`);
    try {
      const slots = (await readUnreadSlots(t.db, 0)).filter(({ name }) => name === slot);
      expect(slotNotices(slots)).toEqual([
        { code: 'SLOT_UNREAD', about: slot, detail: expect.stringMatching(/^PostgreSQL keeps [\d.]+ MiB for it\.$/) },
      ]);
      expect(slotFindings(slots)[0]!.says).toMatch(/^Nobody reads the replication slot drawhouse_unread, /);
      expect(about(await look(served()), 'postgresql').join()).not.toContain(slot);
    } finally {
      await t.byHand(`select pg_drop_replication_slot('${slot}')`);
    }
  });

  const role = () => roleOf(t.database.serverUrl);
  const cases: readonly (readonly [Subject, string | (() => string), string | (() => string), RegExp])[] = [
    [
      'roles',
      () => `grant delete on tickets to ${role()}`,
      () => `revoke delete on tickets from ${role()}`,
      /^fault: .*too many privileges: delete on tickets\.$/,
    ],
    [
      'roles',
      () => `grant update (amount) on transfers to ${role()}`,
      () => `revoke update (amount) on transfers from ${role()}`,
      /^fault: .*update of amount on transfers\.$/,
    ],
    [
      'roles',
      () => `revoke insert on activity from ${role()}`,
      () => `grant insert on activity to ${role()}`,
      /^fault: .*lacks privileges: insert on activity\.$/,
    ],
    [
      'migrations',
      "insert into migrations (name, run_on) values ('9999-later', now())",
      "delete from migrations where name = '9999-later'",
      /^fault: .*later version\. It has 9999-later/,
    ],
    [
      'clock',
      "update activity_heads set last_at = last_at + interval '100 years'",
      "update activity_heads set last_at = last_at - interval '100 years'",
      /^fault: .*the newest row was written on 10 March 21/,
    ],
    [
      'audit',
      'insert into audit_verdicts (id, at, scope, checks, problems, finding) values (gen_random_uuid(), now(), ' +
        "'whole', 40, 2, 'account anna is wrong')",
      'delete from audit_verdicts',
      /^fault: The last full audit, .* found 2 problems\.$/,
    ],
    [
      'tables',
      'update wallets set balance = balance - 50000 where kind = 4',
      'update wallets set balance = balance + 50000 where kind = 4',
      /^warning: A game table is below zero\.$/,
    ],
    [
      'tables',
      'update wallets set balance = balance - 100000000000000 where kind = 4',
      'update wallets set balance = balance + 100000000000000 where kind = 4',
      /^fault: No draw opens in a network, because their tables are below their line\.$/,
    ],
    [
      'notices',
      `insert into held_notices (id, code, key, since, seen_at, server_id, found)
       values (gen_random_uuid(), 'BACKUP_FAILED', 'anita', now(), now(), gen_random_uuid(), '{"code": "BACKUP_FAILED",
        "admin": "anita"}')`,
      'delete from held_notices',
      /^warning: Active now: The scheduled backup failed\.$/,
    ],
    [
      'notices',
      `insert into notice_messages (id, type, code, body, made_at, next_try_at, tries, tried_at)
       values (gen_random_uuid(), 'began', 'DRAWS_LATE', '{}', now(), now(), 5, now())`,
      'delete from notice_messages',
      /^warning: The notice webhook does not answer\.$/,
    ],
    [
      'seals',
      "insert into seal_progress (at, size, snapshot, origin, root, checkpoint) values (now(), 5, '3:3:', 1, '', '')",
      'delete from seal_progress',
      /^fault: Sealing has stopped: the database has 5 sealed records of the log 1, but \S+ does not have that log\.$/,
    ],
  ];
  it.each(cases)('detects the faulty %s: %#', async (of, breaks, mends, says) => {
    const sql = (one: string | (() => string)): string => (typeof one === 'string' ? one : one());
    await t.byHand(sql(breaks));
    const broken = about(await look(served()), of);
    await t.byHand(sql(mends));
    expect(broken).toContainEqual(expect.stringMatching(says));
    expect(about(await look(served()), of).filter((line) => line.startsWith('fault'))).toEqual([]);
  });

  it('detects a server that may rewrite its books, a wrong seed key, and a world-readable key', async () => {
    const owned = await look(served({ DATABASE_URL: t.database.ownerUrl, SEED_KEY: 'ab'.repeat(32) }));
    expect(about(owned, 'roles')[0]).toMatch(/^warning: The server's role (?:owns the tables|is a superuser)/);
    expect(about(owned, 'seed key')).toEqual([expect.stringMatching(/^fault: It is not the key/)]);
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'key-')), 'seed.key');
    await writeFile(file, KEY);
    const { SEED_KEY: _none, ...settings } = served({ SEED_KEY_FILE: file });
    await chmod(file, 0o604);
    expect(about(await look(settings), 'seed key')).toEqual([
      expect.stringMatching(/^fault: Every user of this machine can read/),
    ]);
    await rm(path.dirname(file), { recursive: true });
    expect(about(await look(settings), 'seed key')).toEqual([
      expect.stringMatching(/^fault: SEED_KEY_FILE can't be read/),
    ]);
  });
});

describe('the doctor without a database', () => {
  it('reports that nothing was ever started and creates nothing', async () => {
    const found = await look({ DATA_DIR: path.join(dataDir, 'none'), PORT: '0' });
    expect(about(found, 'postgresql')).toEqual([
      expect.stringMatching(/^warning: .* has no database: no server has been started/),
    ]);
    expect(found.filter(({ state }) => state === 'fault')).toEqual([]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('reports it unreachable and continues', async () => {
    const found = await look({
      DATABASE_URL: 'postgresql://nobody:secret@127.0.0.1:1/none',
      DATA_DIR: dataDir,
      PORT: '0',
    });
    expect(about(found, 'postgresql')).toEqual([expect.stringMatching(/^fault: It can't be reached: .*ECONNREFUSED/)]);
    expect(JSON.stringify(found)).not.toContain('secret');
    const of = new Set(found.map((finding) => finding.of));
    expect([...of]).toEqual(['settings', 'node', 'server', 'ports', 'postgresql', 'disk', 'seed key', 'seal key']);
    const misread = await look({ DATABASE_URL: 'mysql://elsewhere', DATA_DIR: dataDir, PORT: '0' });
    expect(about(misread, 'postgresql')).toEqual(['fault: The database was not checked: DATABASE_URL is wrong.']);
  });
});

describe('the port check', () => {
  // No timeouts, even on a busy machine.
  beforeEach(() => void vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal));
  afterEach(() => void vi.restoreAllMocks());

  const at = (port: number, host = '127.0.0.1') => ({ setting: 'PORT', host, port });
  const portFinding = async (place: ReturnType<typeof at>, own?: string): Promise<string> => {
    const { state, says } = await checkPort(place, await probePort(place), own);
    return `${state}: ${says}`;
  };

  it("distinguishes free, ours and others'", async () => {
    const free = await freePort();
    expect(await portFinding(at(free))).toBe(`ok: PORT ${free} of 127.0.0.1 is free.`);
    const elsewhere = await checkPort(at(free, '192.0.2.77'), { who: 'nobody' }, undefined);
    expect(elsewhere).toMatchObject({ state: 'fault', says: 'This machine does not have the address 192.0.2.77.' });
    const ours = Number(new URL(await listen(t.app)).port);
    expect(await portFinding(at(ours))).toBe(`ok: PORT ${ours} of 127.0.0.1 is in use by a server of Drawhouse.`);
    const others = [
      [createServer((_request, response) => response.end('hello')), 'another program'],
      [createRawServer((socket) => socket.destroy()), 'a program that does not answer'],
    ] as const;
    for (const [other, held] of others) {
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      expect(await portFinding(at(port))).toBe(`fault: PORT ${port} of 127.0.0.1 is in use by ${held}.`);
      other.close();
    }
  });

  it("recognizes our server's metrics port by its token", async () => {
    const server = createServer(({ url, headers }, response) => {
      const isAllowed = url === '/metrics' && headers.authorization === 'Bearer a-token';
      if (isAllowed) response.end('drawhouse_build_info{version="1"} 1');
      else response.writeHead(401).end('{"message":"The figures are for who shows the token of METRICS_TOKEN."}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const place = { setting: 'METRICS_PORT', host: '127.0.0.1', port };
    const who = async (token?: string) => (await probeMetricsPort(place, token)).who;
    expect([await who('a-token'), await who(), await who('another')]).toEqual(['drawhouse', 'guarded', 'guarded']);
    const metricsPortFinding = async (token: string) =>
      (await checkPort(place, await probeMetricsPort(place, token), undefined)).says;
    const where = `METRICS_PORT ${port} of 127.0.0.1 is in use by a server of Drawhouse`;
    expect([await metricsPortFinding('a-token'), await metricsPortFinding('another')]).toEqual([
      `${where}.`,
      `METRICS_PORT ${port} of 127.0.0.1 is in use by a Drawhouse server with another METRICS_TOKEN.`,
    ]);
    server.close();
    expect(await who('a-token')).toBe('nobody');
  });

  it('recognizes another installation by its seals', async () => {
    const place = at(3000);
    const server = { who: 'drawhouse', status: 'ready', sealKey: 'theirs' } as const;
    expect((await checkPort(place, server, 'ours')).state).toBe('fault');
    expect((await checkPort(place, server, 'theirs')).says).toBe('PORT 3000 of 127.0.0.1 is in use by the server.');
    expect((await checkPort(place, server, undefined)).state).toBe('ok');
  });
});

it('a missing folder is an error unless it is created on demand', async () => {
  const folder = path.join(dataDir, 'gone', 'deeper');
  expect(await checkFolder({ name: 'SEAL_DIR', folder })).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('it will be created'),
  });
  expect(await checkFolder({ name: 'BACKUP_TRANSFER_URL', folder, isMade: true })).toMatchObject({ state: 'fault' });
});
