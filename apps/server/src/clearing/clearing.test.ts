import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { clearingState, countRecords, deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { activityLog, logEntry } from '@drawhouse/contract/activity/activity';
import { deleteBackup, listBackups } from '@drawhouse/contract/backup/backups';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { claimWin } from '@drawhouse/contract/tickets/tickets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAYS, playHistory, type ClearingWorld } from '../../test/worlds/clearing-world.ts';
import { TestApp, type SignedIn } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { readBackups } from '../backup/keep/backup-folders.ts';
import { acquireNamedLock } from '../platform/db/connection/hold-lock.ts';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';

let t: TestApp;
let world: ClearingWorld;
const WHOLE = { startDate: '2026-03-01', endDate: '2026-03-31' };
const all = { ...WHOLE, models: [...CLEARING_ORDER] };

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 1 } });
  world = await playHistory(t);
});
afterAll(() => t.close());

describe('the database functions', () => {
  const refused = async (sql: string, values: readonly unknown[] = []): Promise<string> => {
    const failed = await t.served.query(sql, values).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
    return failed;
  };
  const begin = (over: string = ''): Promise<unknown> =>
    t.db.query(
      `insert into clearings (network_id, id, model, started_at, starts_at, ends_at, account_id, username, backup)
       select $1, '${'0'.repeat(8)}-0000-4000-8000-000000000001', model, now(), '2026-03-09T18:30:00Z',
         ${over || "'2026-03-12T18:30:00Z'"}, $2, 'x', 'x'
       from unnest(array['ticket', 'draw', 'userlog', 'user', 'usertransaction']) as model`,
      [world.net.networkId, world.net.admin._id],
    );
  const ID = `${'0'.repeat(8)}-0000-4000-8000-000000000001`;
  const clear = (
    model = 'usertransaction',
    until = '2026-03-12T18:30:00Z',
    network = world.net.networkId,
  ): Promise<string> =>
    refused('select clear_transfers($1, $2, $3, $4, $5, 1000)', [network, ID, model, '2026-03-09T18:30:00Z', until]);

  it('refuse a clearing that is unstarted, finished, or of another network or model', async () => {
    expect(await clear()).toMatch(/No clearing/);
    await begin();
    expect(await clear('commission')).toMatch(/No clearing/);
    expect(await clear('usertransaction', undefined, world.other.networkId)).toMatch(/No clearing/);
    await t.db.query('update clearings set finished_at = now()');
    expect(await clear()).toMatch(/No clearing/);
    await t.db.query('delete from clearings');
  });

  it('refuse times outside the clearing and unfinished or unsummed days', async () => {
    await begin();
    expect(await clear('usertransaction', '2026-03-12T18:30:00.001Z')).toMatch(/not of the time/);
    await t.db.query('delete from clearings');
    await begin("'2026-03-12T18:30:00.001Z'");
    for (const call of [
      'clear_transfers($1, $2, $3, $4, $5, 1000)',
      "clear_tickets($1, $2, '{}')",
      'clear_draws($1, $2, 1, 1000)',
      "clear_log($1, $2, 'userlog', 1, 1000)",
      'clear_accounts($1, $2)',
    ])
      expect(
        await refused(`select ${call}`, [
          world.net.networkId,
          ID,
          ...(call.includes('$5') ? ['usertransaction', '2026-03-09T18:30:00Z', '2026-03-10T18:30:00Z'] : []),
        ]),
      ).toMatch(/over and summed/);
    await t.db.query('delete from clearings');
  });

  it('refuse any other change to the record and checkpoints', async () => {
    for (const table of [
      'transfers',
      'activity',
      'tickets',
      'draws',
      'player_settlements',
      'clearings',
      'wallet_gaps',
      'cleared_marks',
    ])
      expect(await refused(`delete from ${table}`)).toMatch(/permission denied/);
    for (const change of [
      'clearings set removed = 1',
      'wallet_gaps set gained = 1',
      'cleared_days set escrow = 1',
      'draws set tickets_cleared = true',
    ])
      expect(await refused(`update ${change}`)).toMatch(/permission denied/);
    expect(await refused("select note_flows(1, '{}')")).toMatch(/permission denied/);
  });
});

describe('the clearing calls', () => {
  it("refuse invalid choices in the specification's words", async () => {
    const { admin } = world.net;
    for (const route of [countRecords, deleteRecords]) {
      const fields = async (body: object) => (await t.call(route, { body } as never, admin)).body.fields;
      expect(await fields({ models: ['ticket'] })).toMatchObject({
        startDate: 'Please select start and end date.',
        endDate: 'Please select start and end date.',
      });
      expect(await fields({ ...WHOLE, startDate: '', models: ['ticket'] })).toEqual({
        startDate: 'Please select start and end date.',
      });
      expect(await fields({ ...WHOLE, models: [] })).toEqual({ models: 'Select at least one model to clear' });
      expect(await fields(WHOLE)).toEqual({ models: 'Select at least one model to clear' });
      expect(await fields({ startDate: DAYS.second, endDate: DAYS.first, models: ['ticket'] })).toEqual({
        endDate: 'The end is before the start',
      });
    }
  });

  it('clear only for an admin', async () => {
    for (const role of ['superadmin', 'superdistributor', 'retailer', 'user'] as const)
      expect((await t.call(deleteRecords, { body: all }, world.net[role])).body.code).toBe('NOT_ALLOWED');
  });

  it('clear nothing during other work, without a backup, or of today', async () => {
    const before = await t.db.query('select count(*) from transfers');
    const lock = await acquireNamedLock(t.database.serverUrl, `network work ${world.net.admin._id}`);
    expect((await t.call(deleteRecords, { body: all }, world.net.admin)).body.code).toBe('WORK_UNDER_WAY');
    await lock!.release();
    const folder = path.join(t.backupDir, world.net.admin._id);
    await mkdir(t.backupDir, { recursive: true });
    await writeFile(folder, 'no folder');
    const reply = await t.call(deleteRecords, { body: all }, world.net.admin);
    expect(reply.body).toMatchObject({
      code: 'RULE_REFUSED',
      message: 'Nothing was cleared, because the backup before it failed. It could not be made. See the server log.',
    });
    await rm(folder);
    const today = { ...all, startDate: DAYS.today, endDate: DAYS.today };
    expect((await t.call(deleteRecords, { body: today }, world.net.admin)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: 'Nothing was cleared. Today is not over, so it is kept.',
    });
    expect(await t.db.query('select count(*) from transfers')).toEqual(before);
    expect(await t.db.query('select from clearings')).toEqual([]);
  });

  it('count first, clear after a backup, and report the outcome on request', async () => {
    const { admin } = world.net;
    const counted = await t.ok(countRecords, { body: all }, admin);
    await t.app.tick();
    const [cleared, ...bets] = await Promise.all([
      t.ok(deleteRecords, { body: all }, admin),
      ...Array.from({ length: 30 }, (_, nth) => t.bet(world.net.user, { [nth % 10]: 1 })),
    ]);
    expect(new Set(bets.map(({ status }) => status))).toEqual(new Set([201]));
    expect(cleared.message).toBe(`Cleared the history from 2026-03-01 to ${DAYS.third}.`);
    expect(counted.models.map(({ model, rows, left }) => ({ model, rows, left }))).toEqual(
      cleared.models.map(({ model, rows, left }) => ({ model, rows, left })),
    );
    await t.expectBooksToBalance();
    const backups = await readBackups(t.backupDir, admin._id);
    expect(backups.map(({ name }) => name)).toEqual([cleared.backup]);
    const vacuumed = 'select relname from pg_stat_user_tables where last_vacuum is not null order by relname';
    expect((await t.db.query<{ relname: string }>(vacuumed)).map(({ relname }) => relname)).toEqual(
      expect.arrayContaining(['activity', 'draws', 'tickets', 'transfers']),
    );
    const state = await t.ok(clearingState, {}, admin);
    expect(state).toMatchObject({
      running: null,
      last: { by: admin.username, failure: null, hasBegun: true, answer: { models: cleared.models } },
    });
    expect(state.history).toEqual([
      {
        first: '2026-03-01',
        last: DAYS.third,
        models: [...CLEARING_ORDER],
        by: admin.username,
        at: expect.any(String),
      },
    ]);
    expect((await t.ok(clearingState, {}, world.other.admin)).history).toEqual([]);
  });

  it('report progress to any viewer, and interruptions', async () => {
    const { admin } = world.net;
    const lock = await acquireNamedLock(t.database.serverUrl, `network work ${admin._id}`);
    await t.db.query(
      `update network_work set kind = 'clearing', finished_at = null, step = 'Tickets', done = 3, total = 7, failure = null, answer = null`,
    );
    expect(await t.ok(clearingState, {}, admin)).toMatchObject({
      running: { kind: 'clearing', step: 'Tickets', done: 3, total: 7 },
      last: null,
    });
    await lock!.release();
    expect(await t.ok(clearingState, {}, admin)).toMatchObject({
      running: null,
      last: { answer: null, hasBegun: true, failure: expect.stringContaining('Please start it again') },
    });
    await t.db.query("update network_work set started_at = started_at + interval '1 ms'");
    expect(await t.ok(clearingState, {}, admin), 'before anything was cleared').toMatchObject({
      last: { hasBegun: false },
    });
  });

  it('clear once a day, so undeletable backups do not pile up', async () => {
    const { last } = await t.ok(clearingState, {}, world.net.admin);
    expect((await t.call(deleteRecords, { body: all }, world.net.admin)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: 'Nothing was cleared: history can be cleared once a day. Try again tomorrow.',
    });
    expect((await t.ok(clearingState, {}, world.net.admin)).last, 'a refusal does not count as a clearing').toEqual(
      last,
    );
  });

  it('protect the prior backup from the clearing admin', async () => {
    const { admin } = world.net;
    const [backup] = (await t.ok(listBackups, {}, admin)).backups;
    expect(backup).toMatchObject({ by: `${admin.username}, before clearing`, isEvidence: true });
    expect((await t.call(deleteBackup, { query: { folder: backup!.name } }, admin)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringContaining('After 90 days, the superadmin can'),
    });
    expect(await readBackups(t.backupDir, admin._id)).toHaveLength(1);
  });

  it("leave saved results in the superadmin's log and hide them from others", async () => {
    const { admin, superadmin } = world.net;
    const saved = async (by: SignedIn): Promise<string[]> =>
      (await t.ok(activityLog.route, { query: { search: 'result' } }, by)).data
        .map(({ subject }) => subject)
        .filter((subject) => /^(Saved|Replaced) result/.test(subject));
    const kept = await saved(superadmin);
    expect(kept.join('\n')).toMatch(/^Replaced result 2 .*\nSaved result 6 /);
    expect(await saved(admin)).toEqual([]);
    const [entry] = await t.db.query<{ id: string }>(
      `select id from activity where subject like 'Replaced result 2 %'`,
    );
    const params = { id: entry!.id };
    expect((await t.call(logEntry, { params }, admin)).status).toBe(404);
    expect(await t.ok(logEntry, { params }, superadmin)).toMatchObject({ data: { username: admin.username } });
    expect(await t.ok(activityLog.route, { query: {} }, admin)).toMatchObject({
      cleared: expect.stringContaining('Saved results'),
    });
    expect((await t.ok(activityLog.route, { query: {} }, superadmin)).cleared).not.toContain('Saved results');
  });

  it('notify the superadmin of the cleared rows', async () => {
    const { admin, superadmin } = world.net;
    const { data } = await t.ok(listNotices, {}, superadmin);
    expect(data).toContainEqual(
      expect.objectContaining({
        code: 'HISTORY_CLEARED',
        admin: admin.username,
        about: `Cleared history from 2026-03-01 to ${DAYS.third}`,
        detail: expect.stringMatching(/Saved results: 3 log entries\..*Tickets: \d+ tickets\..*Backup: /),
      }),
    );
    const own = (await t.ok(listNotices, {}, admin)).data;
    expect(own.filter(({ code }) => code === 'HISTORY_CLEARED')).toEqual([]);
  });

  it('skip the backup if nothing is cleared', async () => {
    const { admin } = world.other;
    const before = { startDate: '2026-01-01', endDate: '2026-01-31', models: [...CLEARING_ORDER] };
    expect(await t.ok(deleteRecords, { body: before }, admin)).toMatchObject({
      message: 'Nothing to clear from 2026-01-01 to 2026-01-31.',
      backup: null,
    });
    expect(await readBackups(t.backupDir, admin._id)).toEqual([]);
    expect(await t.db.query('select from clearings where network_id = $1', [world.other.networkId])).toEqual([]);
  });

  it('clear nothing on a nearly full backup disk', async () => {
    const full = await t.beside({
      watched: {
        folders: {},
        lastClockStep: () => undefined,
        auditEveryDays: 31,
        webhook: undefined,
        readDisk: async () => ({ device: 1, free: 9e9, size: 100e9 }),
      },
    });
    expect((await full.call(deleteRecords, { body: all }, world.other.admin)).body).toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringMatching(
        /^Nothing was cleared, because .*The disk of the backups is nearly full: 9 GB are free/,
      ),
    });
    await full.close();
  });

  it('keep unclaimed wins and unpaid commission', async () => {
    const { net, unclaimed } = world;
    await t.ok(claimWin, { body: { ticketId: unclaimed } }, net.user);
    const body = { toUserId: net.retailer._id, password: PASSWORD };
    await t.ok(payCommission, { body }, net.admin);
    await t.expectBooksToBalance();
  });
});
