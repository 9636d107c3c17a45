import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { RESTORES_NOTHING } from '../../../test/backups/restores-nothing.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import type { BackupPlan } from '../../config/backup-settings.ts';
import { acquireNamedLock } from '../../platform/db/connection/hold-lock.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { createNetworkWork, type NetworkWork } from '../../activity/network-work/network-work.ts';
import { foldersOf, newFolderName, readBackups, readHistory } from './backup-folders.ts';
import { createBackupSchedule, type BackupSchedule } from './backup-schedule.ts';
import { SCHEDULE } from './next-step.ts';
import type { BackupParts } from '../take/own-backups.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PLAN: BackupPlan = { weekday: undefined, atMs: 15.5 * HOUR_MS, keep: 2, keepDays: undefined };
const LEAVE_ONE = `update accounts set deleted_at = now() where role = 'admin' and deleted_at is null and id is distinct from $1`;
let t: TestApp;
let net: Network;
let other: Network;
let logged: string;
const started: NetworkWork[] = [];

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  t.clock.set(new Date((Math.floor(t.clock.now().getTime() / DAY_MS) + 1) * DAY_MS + 10 * HOUR_MS));
  await t.db.query(LEAVE_ONE, [null]);
  [net, other] = [await t.network({ credit: 0 }), await t.network({ credit: 0 })];
  logged = '';
});
afterEach(async () => {
  for (const work of started.splice(0)) await work.stop();
});

function server(change: Partial<BackupParts> = {}): BackupSchedule & { work: NetworkWork; did: string[] } {
  const did: string[] = [];
  const work = createNetworkWork({ db: t.served, clock: t.clock, connectionString: () => t.database.serverUrl });
  started.push(work);
  const { restoring, archiveOf } = RESTORES_NOTHING as Required<typeof RESTORES_NOTHING>;
  const schedule = createBackupSchedule(
    {
      services: t.app.services,
      work,
      settings: settings(),
      restoring: {
        ...restoring,
        async drill({ actor }, { name }) {
          did.push(`tried ${actor.username} ${name}`);
          return [];
        },
      },
      archiveOf,
      transferring: {
        async send(_folder, name) {
          did.push(`sent ${name}`);
          return { bytes: 0, where: 'elsewhere' };
        },
      },
      ...change,
    },
    pino({ level: 'error' }, new Writable({ write: (chunk, _encoding, done) => (done(), void (logged += chunk)) })),
  );
  return { ...schedule, work, did };
}

async function doAll(schedule: BackupSchedule): Promise<void> {
  while (await schedule.doNext());
}

const namesOf = async ({ admin }: Network): Promise<string[]> =>
  (await readBackups(t.backupDir, admin._id)).map(({ name }) => name);

async function logOf({ networkId }: Network): Promise<string[]> {
  const rows = await t.db.query<{ username: string; subject: string }>(
    `select username, subject from activity where network_id = $1 and subject ~ 'backup' order by seq`,
    [networkId],
  );
  return rows.map(({ username, subject }) => `${username}: ${subject}`);
}

describe('the backup schedule', () => {
  it('takes, verifies, tests and transfers one per network, and logs it', async () => {
    const schedule = server();
    await doAll(schedule);
    for (const each of [net, other]) {
      const [backup, ...more] = await readBackups(t.backupDir, each.admin._id);
      expect(more).toEqual([]);
      expect(backup!.manifest).toMatchObject({ by: SCHEDULE, admin: { id: each.admin._id } });
      const now = t.clock.now().toISOString();
      expect(await readHistory(backup!.folder)).toEqual({
        checkedAt: now,
        drilledAt: now,
        transferredAt: now,
        problems: [],
      });
      const { name } = backup!;
      const { username } = each.admin;
      expect(schedule.did).toEqual(
        expect.arrayContaining([`tried ${username} ${name}`, `sent ${username}-${name}.zip`]),
      );
      expect(await logOf(each)).toEqual([
        `system: Made backup "${name}"`,
        `system: Checked backup "${name}": it is intact`,
        `system: Tested backup "${name}": it can be restored`,
        `system: Transferred backup "${name}" to elsewhere`,
      ]);
    }
    expect(schedule.troubles().size).toBe(0);
    await doAll(schedule);
    expect(await namesOf(net)).toHaveLength(1);
  });

  it('takes the next on time, keeps the configured number, and tests one a week', async () => {
    await t.db.query(LEAVE_ONE, [net.admin._id]);
    const schedule = server();
    const tried = (): number => schedule.did.filter((what) => what.startsWith(`tried ${net.admin.username}`)).length;
    for (let day = 0; day < 8; day++) {
      await doAll(schedule);
      expect(await namesOf(net)).toHaveLength(Math.min(day + 1, 3));
      expect(tried()).toBe(day < 7 ? 1 : 2);
      t.clock.advance(DAY_MS);
    }
    expect((await logOf(net)).filter((line) => line.startsWith('system: Deleted backup'))).toHaveLength(5);
  });

  it('runs once across servers, on the first to start it', async () => {
    const servers = [server(), server(), server()];
    await Promise.all(servers.map(doAll));
    await Promise.all(servers.map(doAll));
    for (const each of [net, other]) {
      expect(await namesOf(each)).toHaveLength(1);
      expect(await logOf(each)).toHaveLength(4);
    }
  });

  it('continues after a server was killed', async () => {
    const killed = path.join(foldersOf(t.backupDir, net.admin._id), newFolderName(t.clock.now()));
    await mkdir(killed, { recursive: true });
    await t.db.query(`insert into network_work (admin_id, kind, username, started_at) values ($1, 'backup', $2, $3)`, [
      net.admin._id,
      SCHEDULE,
      t.clock.now(),
    ]);
    const schedule = server();
    await doAll(schedule);
    expect(await namesOf(net)).toEqual([path.basename(killed)]);
    expect(await namesOf(other)).toHaveLength(1);
    t.clock.advance(HOUR_MS);
    await doAll(schedule);
    expect(await logOf(net)).toHaveLength(4);
    t.clock.advance(DAY_MS);
    await doAll(schedule);
    expect(await readdir(foldersOf(t.backupDir, net.admin._id))).not.toContain(path.basename(killed));
  });

  it("continues another server's work without repeating the backup", async () => {
    const first = server();
    expect(await first.doNext()).toBe(true);
    expect(await namesOf(net)).toHaveLength(1);
    const second = server();
    await doAll(second);
    expect(await logOf(net)).toHaveLength(4);
  });

  it('waits for other work on the network', async () => {
    const schedule = server();
    const ended = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const done = schedule.work.run({ adminId: net.admin._id, kind: 'restore', by: 'anna' }, () => {
      begun.resolve();
      return ended.promise;
    });
    await begun.promise;
    await doAll(server());
    expect([await namesOf(net), await namesOf(other)].map(({ length }) => length)).toEqual([0, 1]);
    ended.resolve();
    await done;
    await doAll(schedule);
    expect(await namesOf(net)).toHaveLength(1);
    expect(logged).toBe('');
  });

  it('skips tests if this machine can only write backups', async () => {
    const key = await identityToRecipient(await generateX25519Identity());
    const schedule = server({ settings: { ...settings(), key } });
    await doAll(schedule);
    expect(schedule.did).toHaveLength(2);
    for (const what of schedule.did) expect(what).toMatch(/^sent /);
  });
});

describe('a failing backup schedule', () => {
  it('reports the failing step per network, logs it, and retries after an hour', async () => {
    let fails = true;
    let sent = 0;
    const transferring: BackupParts['transferring'] = {
      async send() {
        sent++;
        if (fails) throw new CallError('RULE_REFUSED', { message: 'There is no room elsewhere.' });
        return { bytes: 0, where: 'elsewhere' };
      },
    };
    const schedule = server({ transferring });
    await doAll(schedule);
    await doAll(schedule);
    expect(sent).toBe(2);
    const detail = 'It was made, but could not be transferred. There is no room elsewhere.';
    const trouble = { code: 'BACKUP_FAILED', username: net.admin.username, detail };
    expect(schedule.troubles().get(net.admin._id)).toEqual(trouble);
    expect(logged).toContain('"step":"transfer"');
    t.clock.advance(HOUR_MS);
    fails = false;
    await doAll(schedule);
    expect(schedule.troubles().size).toBe(0);
    expect(sent).toBe(4);
  });

  it('retries each failing step once an hour, whatever else ran', async () => {
    await t.db.query(LEAVE_ONE, [net.admin._id]);
    const tries = { drill: 0, send: 0 };
    const { restoring } = RESTORES_NOTHING as Required<typeof RESTORES_NOTHING>;
    const fail = (what: keyof typeof tries) => async () => {
      tries[what]++;
      throw new CallError('RULE_REFUSED', { message: `No ${what}.` });
    };
    const schedule = server({
      restoring: { ...restoring, drill: fail('drill') },
      transferring: { send: fail('send') },
    });
    for (let look = 0; look < 6; look++) await schedule.doNext();
    expect(tries).toEqual({ drill: 1, send: 1 });
    const order = { adminId: net.admin._id, kind: 'check', by: net.admin.username } as const;
    await schedule.work.run(order, async () => {});
    for (let look = 0; look < 3; look++) await schedule.doNext();
    expect(tries).toEqual({ drill: 1, send: 1 });
    expect(schedule.troubles().get(net.admin._id)).toMatchObject({
      code: 'BACKUP_FAILED',
      detail: 'It was made, but could not be tested. No drill.',
    });
    t.clock.advance(HOUR_MS);
    for (let look = 0; look < 6; look++) await schedule.doNext();
    expect(tries).toEqual({ drill: 2, send: 2 });
  });

  it('reports a damaged newest backup until a good one exists', async () => {
    let problems = ['The books do not balance.'];
    const { restoring } = RESTORES_NOTHING as Required<typeof RESTORES_NOTHING>;
    const schedule = server({ restoring: { ...restoring, drill: async () => problems } });
    await doAll(schedule);
    const [name] = await namesOf(net);
    expect(schedule.troubles().get(net.admin._id)).toEqual({
      code: 'BACKUP_FAILED',
      username: net.admin.username,
      detail: `Backup "${name}": The books do not balance.`,
    });
    t.clock.advance(HOUR_MS);
    problems = [];
    await doAll(schedule);
    expect(await namesOf(net)).toHaveLength(2);
    expect(schedule.troubles().size).toBe(0);
  });

  it('reports an unreadable folder without affecting other networks', async () => {
    const unreadable = path.join(t.backupDir, net.admin._id);
    await mkdir(t.backupDir, { recursive: true });
    await writeFile(unreadable, 'no folder');
    const schedule = server();
    await doAll(schedule);
    expect(await namesOf(other)).toHaveLength(1);
    expect(schedule.troubles().get(net.admin._id)).toMatchObject({
      code: 'BACKUP_FAILED',
      detail: 'The backup folder can’t be read (ENOTDIR).',
    });
    await rm(unreadable);
    await doAll(schedule);
    expect(await namesOf(net)).toHaveLength(1);
    expect(schedule.troubles().size).toBe(0);
  });

  it('reports a backup overdue by two hours', async () => {
    const schedule = server();
    await doAll(schedule);
    const takenAt = t.clock.now().toISOString();
    const lock = (await acquireNamedLock(t.database.serverUrl, 'backup schedule'))!;
    try {
      t.clock.advance(DAY_MS + 1.9 * HOUR_MS);
      expect(await schedule.doNext()).toBe(false);
      expect(schedule.troubles().size).toBe(0);
      t.clock.advance(0.1 * HOUR_MS);
      expect(await schedule.doNext()).toBe(false);
      expect(schedule.troubles().get(net.admin._id)).toEqual({
        code: 'BACKUP_OVERDUE',
        username: net.admin.username,
        last: takenAt,
      });
    } finally {
      await lock.release();
    }
    await doAll(schedule);
    expect(schedule.troubles().size).toBe(0);
  });
});

it('superadmins see their networks, admins their own, and nobody else any', async () => {
  const failing: BackupParts['transferring'] = {
    async send(_folder, name) {
      if (name.startsWith(`${net.admin.username}-`)) throw new CallError('RULE_REFUSED', { message: 'No room.' });
      return { bytes: 0, where: 'elsewhere' };
    },
  };
  const secondServer = await t.beside({
    backupPlan: PLAN,
    backupParts: { ...RESTORES_NOTHING, transferring: failing },
  });
  try {
    await secondServer.app.tick();
    const { username, _id: adminId } = net.admin;
    const detail = 'It was made, but could not be transferred. No room.';
    const object = { key: username, admin: username, adminId };
    const notice = { code: 'BACKUP_FAILED', ...NOTICES.BACKUP_FAILED, ...object, detail };
    const read = async (as: SignedIn) => (await secondServer.ok(listNotices, {}, await t.signIn(as.username))).data;
    expect(await read(net.superadmin)).toEqual([notice]);
    expect(await read(net.admin)).toEqual([notice]);
    expect(await read(other.admin)).toEqual([]);
  } finally {
    await secondServer.close();
  }
});

it('a stopping server aborts its backup and leaves nothing', async () => {
  const secondServer = await t.beside({ backupPlan: PLAN, backupParts: RESTORES_NOTHING });
  await t.db.transaction(async (tx) => {
    await tx.query('lock table tickets in access exclusive mode');
    await secondServer.app.step();
    await untilWaiting(t);
    await secondServer.close();
  });
  expect(await namesOf(net)).toEqual([]);
  expect(await namesOf(other)).toEqual([]);
});

function settings(): BackupParts['settings'] {
  return { connectionString: () => t.database.serverUrl, dir: t.backupDir, key: undefined, plan: PLAN };
}
