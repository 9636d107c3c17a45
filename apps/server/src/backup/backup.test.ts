import { addLogin } from '@drawhouse/contract/logins/logins';
import { addWeekNote } from '@drawhouse/contract/weeks/close-weeks';
import { recordPayment } from '@drawhouse/contract/weeks/week-payments';
import { setWeekTerms } from '@drawhouse/contract/weeks/week-terms';
import { copyFile, cp, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateX25519Identity } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { setAlertThresholds } from '@drawhouse/contract/notices/notice-acts';
import { setWelcomeShown } from '@drawhouse/contract/players/welcome';
import { saveFavorite } from '@drawhouse/contract/players/favorites';
import { setOwnLimit } from '@drawhouse/contract/players/protection';
import { claimWin, printTicket } from '@drawhouse/contract/tickets/tickets';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changeOfGame, onEachDigit, playNetwork } from '../../test/worlds/audit-world.ts';
import { isTable, readBack } from '../../test/backups/read-backup.ts';
import { orderOf } from '../../test/backups/backup-order.ts';
import { addAppFactor } from '../../test/clients/app-factor.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { TABLE_OWNERS } from '../config/tables/table-owners.ts';
import { BackupRefused } from './keep/disk-space.ts';
import { MANIFEST, type Manifest } from './take/archive/manifest.ts';
import { takeBackup, type BackupOrder } from './take/take-backup.ts';
import { verifyBackup } from './keep/verify-backup.ts';
import { makeKey, uniqueIdOf } from '../../test/clients/program-keys.ts';
import { CLEARING_ORDER } from '@drawhouse/contract/clearing/clearing-texts';

let t: TestApp;
let net: Network;
let other: Network;
let into: string;
const RIGHT = { problems: [], areRowsCounted: true };

beforeAll(async () => {
  t = await TestApp.start({ pieceSizes: { wholeUpTo: 0 } });
  ({ net } = await playNetwork(t));
  other = await t.network({ credit: 70 });
  await t.bet(other.user, { 3: 4 });
  await clearADay();
  await playTheRest();
  into = await mkdtemp(path.join(tmpdir(), 'backups-'));
});
afterAll(async () => {
  await rm(into, { recursive: true, force: true });
  await t.close();
});

async function clearADay(): Promise<void> {
  t.clock.advance(86_400_000);
  for (let times = 0; times < 12; times++) await t.app.tick();
  for (const as of ['admin', 'user', 'superadmin'] as const) net[as] = await t.signIn(net[as].username);
  other.user = await t.signIn(other.user.username);
  const body = { startDate: '2026-03-01', endDate: '2026-03-31', models: [...CLEARING_ORDER] };
  await t.ok(deleteRecords, { body }, net.admin);
  await t.bet(net.user, onEachDigit(1));
}

async function playTheRest(): Promise<void> {
  await changeOfGame(t, { manualClaims: 'yes' });
  for (const as of ['admin', 'retailer', 'user', 'superadmin'] as const) net[as] = await t.signIn(net[as].username);
  await t.finishDraw();
  await t.bet(net.user, onEachDigit(1));
  await t.finishDraw();
  net.user = await t.signIn(net.user.username);
  const [won] = await t.db.query<{ ticket_id: string }>(
    'select ticket_id from ticket_wins order by ticket_id desc limit 1',
  );
  await t.ok(claimWin, { body: { ticketId: won!.ticket_id } }, net.user);
  await t.ok(printTicket, { params: { ticketId: won!.ticket_id } }, net.user);
  await t.ok(saveFavorite, { body: { gameId: 'funtargetbingo', name: 'Sevens', bets: '7*5' } }, net.user);
  await addAppFactor(t, net.user);
  await t.ok(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 500 } }, net.user);
  net.superadmin = await t.signIn(net.superadmin.username);
  await t.give(net.superadmin, net.superadmin, 500);
  await t.give(net.superadmin, net.admin, 5);
  const order = { toUserId: net.superdistributor._id, transferAmount: 5, password: PASSWORD };
  const { creditTransfer } = accountRoutes.superdistributor;
  net.admin = await t.signIn(net.admin.username);
  await t.ok(creditTransfer, { body: order }, { ...net.admin, idempotencyKey: 'once' });
  await t.ok(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { commission: 4 } }, net.admin);
  await t.ok(setWelcomeShown, { body: { shown: false } }, net.admin);
  const account = { accountId: net.retailer._id };
  await t.ok(recordPayment, { body: { ...account, direction: 'in', sum: 5, method: 'cash' } }, net.admin);
  await t.ok(setWeekTerms, { body: { accounts: [net.retailer._id], share: 50, commission: 'week' } }, net.admin);
  await t.ok(addWeekNote, { body: { ...account, day: '2026-03-10', kind: 'note', note: 'Paid' } }, net.admin);
  await t.db.query(
    `insert into week_closings (network_id, id, at, account_id, parent_id, actor_id, from_day, to_day, carried, late, balance,
       commission_with_week, days, note)
     values ($1, gen_random_uuid(), now(), $2, $3, $3, '2026-01-04', '2026-01-10', 0, 0, 0, false, '{}', '')`,
    [net.networkId, net.superdistributor._id, net.admin._id],
  );
  await t.db.query(
    `insert into standing_orders (network_id, id, at, account_id, giver_id, login, kind, amount, measure)
     values ($1, gen_random_uuid(), now(), $2, $3, 0, 'floor', 1, 'credit')`,
    [net.networkId, net.superdistributor._id, net.admin._id],
  );
  const login = { username: 'meera', name: 'Meera', role: 'cashier', password: PASSWORD } as const;
  await t.ok(addLogin, { body: login }, net.retailer);
  await t.db.query(`insert into approval_rules (network_id, above, kind) values ($1, 0, 'clearing')`, [net.networkId]);
  await t.db.query(
    `insert into approvals (network_id, number, id, at, expires_at, account_id, kind, method, path, url, ip, subject, input, changes)
     values ($1, 1, gen_random_uuid(), now(), now(), $2, 'clearing', 'POST', '', '', '', '', '{}', '[]')`,
    [net.networkId, net.admin._id],
  );
  await t.db.query(
    `with corrected as (
       insert into corrections (network_id, draw_id, nth, at, approval, before_result, after_result, before_label, after_label, reason)
       select network_id, id, 1, now(), gen_random_uuid(), '{}', '{}', '7', '8', 'Misread' from draws where network_id = $1 limit 1
         returning draw_id)
     insert into ticket_corrections (network_id, draw_id, nth, at, ticket_id, account_id, win, moved, paid)
       select $1, draw_id, 1, now(), gen_random_uuid(), $2, 0, 0, 0 from corrected`,
    [net.networkId, net.user._id],
  );
  await t.ok(setAlertThresholds, { body: { tableBelow: 100, worstAbove: null } }, net.admin);
  const { key } = await makeKey(t, net.admin);
  const player = await uniqueIdOf(t, net.user);
  const bet = { player, gameId: 'funtargetbingo', requestId: 'by a key', lines: [{ drawno: '7', qty: 1 }] };
  await t.ok(placeBets, { body: { bets: [bet] } }, { token: key });
  await t.db.query(
    `with restored as (
       insert into restores (network_id, id, at, taken_at, amount, root_log_from, root_log_until, root_version_from,
         root_version_until, username)
       values ($1, gen_random_uuid(), now(), now(), 0, 1, 2, 1, 2, 'admin') returning id)
     insert into undone_activity (network_id, seq, restore_id) select $1, 2, id from restored`,
    [net.networkId],
  );
  await t.db.query(
    `insert into undone_draws (network_id, undone_at, taken_at, opens_at, closes_at, draws_at, id, game_id, terms_id, status,
     tickets_cleared, commitment)
     select network_id, now(), now(), opens_at, closes_at, draws_at, id, game_id, terms_id, status, false, commitment
      from draws where network_id = $1`,
    [net.networkId],
  );
  await t.db.query(
    `insert into undone_tickets (network_id, stake, placed_at, id, draw_id, account_id, request, request_hash, digest, lines)
     select network_id, stake, placed_at, id, draw_id, account_id, request, request_hash, digest, lines from tickets where network_id = $1`,
    [net.networkId],
  );
  await t.db.query(
    `with cleared as (
       insert into undone_clearings (network_id, id, model, started_at, starts_at, ends_at, removed)
       values ($1, gen_random_uuid(), 'ticket', now(), now(), now(), 1) returning id)
     insert into undone_cleared (network_id, id) select $1, id from cleared`,
    [net.networkId],
  );
  await t.db.query(
    `with moved as (
       insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
       values ($1, gen_random_uuid(), now(), now(), 0, 0, sha256(''), 'root') returning id)
     insert into moved_activity (network_id, seq, id, at, move_id, username, subject)
     select $1, 0, gen_random_uuid(), now(), id, 'root', 'Did something' from moved`,
    [net.networkId],
  );
  await t.db.query(`insert into images values (sha256('a'), 'a'), (sha256('b'), 'b'), (sha256('c'), 'c')`);
  await t.db.query(`update games set logo = sha256('a') where game_key = 'funtargetbingo'`);
  await t.db.query(`insert into game_images select id, 0, sha256('b') from games where game_key = 'funtargetbingo'`);
  await t.db.query(
    `with made as (insert into schedules (id, name, plan) values (gen_random_uuid(), 'Evenings', '{}') returning id)
     update games set schedule_id = made.id from made where game_key = 'funtargetbingo'`,
  );
}

function take(order: Partial<BackupOrder> = {}): Promise<Manifest> {
  return takeBackup(orderOf(t, net, into, order));
}

describe('the contents of a backup', () => {
  it('are every row of the network and no other, in every table', async () => {
    const { files } = await take({ name: 'whole' });
    await readBack(t, path.join(into, 'whole'), async (client) => {
      for (const { table, columns, rows } of files.filter(isTable)) {
        const { backup } = TABLE_OWNERS[table]!;
        const where = backup && 'where' in backup ? backup.where(net.networkId) : `network_id = ${net.networkId}`;
        // The json type has no equality operator.
        const shown = columns.map((column) => `${column}::text`).join(', ');
        const kept = `select ${shown} from pg_temp.${table}`;
        const stored = `select ${shown} from public.${table} where ${where.replaceAll(/\b(from|join) (\w+)/g, '$1 public.$2')}`;
        for (const [some, others] of [
          [kept, stored],
          [stored, kept],
        ])
          expect((await client.query(`${some} except all ${others}`)).rows, `rows of ${table}`).toEqual([]);
        expect((await client.query(kept)).rowCount, `rows of ${table}`).toBe(rows);
      }
    });
    const empty = files.filter(({ rows }) => rows === 0).map(({ table }) => table);
    expect(empty, 'a table without rows proves nothing').toEqual([]);
    expect(await verifyBackup(path.join(into, 'whole'))).toEqual(RIGHT);
  });

  it("state the network and the books' totals", async () => {
    const { files: _files, ...about } = await take({ name: 'about' });
    const [head] = await t.db.query<{ seq: bigint }>('select seq from activity_heads where network_id = $1', [
      net.networkId,
    ]);
    expect(about).toMatchObject({
      format: 1,
      admin: { id: net.admin._id, username: net.admin.username },
      takenAt: t.clock.now().toISOString(),
      by: 'somebody',
      timeZone: 'Asia/Kolkata',
      log: { seq: String(head!.seq) },
    });
    expect(about.wallets.reduce((sum, { balance }) => sum + BigInt(balance), 0n)).toBe(0n);
    expect(about.wallets.map(({ kind }) => kind)).toEqual([
      'credit',
      'commission',
      'winnings',
      'table',
      'escrow',
      'boundary',
    ]);
  });

  it('are private', async () => {
    await take({ name: 'private' });
    const folder = path.join(into, 'private');
    const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;
    expect(await modeOf(folder)).toBe(0o700);
    for (const name of await readdir(folder))
      expect(await modeOf(path.join(folder, name)), `mode of ${name}`).toBe(0o600);
  });
});

describe('an encrypted backup', () => {
  it('is not started with a mistyped key', async () => {
    const key = (await generateX25519Identity()).replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q'));
    await expect(take({ name: 'mistyped', key })).rejects.toThrow(/checksum/i);
    expect(await readdir(into)).not.toContain('mistyped');
  });
});

/** Reports these free sizes in turn, then the last one forever. Checked at every byte. */
function diskWith(...free: readonly number[]): NonNullable<BackupOrder['disk']> {
  let looks = 0;
  return { free: () => Promise.resolve(free[Math.min(looks++, free.length - 1)]!), checkEveryBytes: 1 };
}

describe('a refused backup', () => {
  it('keeps 1 GB free before and during writing', async () => {
    const refused = take({ name: 'full', disk: diskWith(0.9e9) });
    await expect(refused).rejects.toThrow(BackupRefused);
    await expect(refused).rejects.toThrow(/^Not enough disk space for a backup: 900 MB are free/);
    await expect(take({ name: 'full', disk: diskWith(1e12, 0.8e9) })).rejects.toThrow(/: 800 MB are free/);
    expect(await readdir(into)).not.toContain('full');
  });

  it('never overwrites a folder', async () => {
    await take({ name: 'once' });
    await expect(take({ name: 'once' })).rejects.toThrow(/EEXIST/);
    expect(await verifyBackup(path.join(into, 'once'))).toEqual(RIGHT);
  });
});

describe('detects a changed backup:', () => {
  const tickets = 'tickets.zst';
  const cases: [string, (folder: string) => Promise<unknown>, RegExp][] = [
    [
      'a missing manifest',
      (folder) => rm(path.join(folder, MANIFEST)),
      /^manifest\.json is missing: the backup was not finished$/,
    ],
    [
      'a manifest that is not JSON',
      (folder) => writeFile(path.join(folder, MANIFEST), '{'),
      /^manifest\.json is not a backup manifest/,
    ],
    [
      'a malformed manifest',
      (folder) => edit(folder, (manifest) => ({ ...manifest, format: 2 })),
      /^manifest\.json is not a backup manifest/,
    ],
    [
      'a manifest path outside its folder',
      (folder) => edit(folder, ({ files, ...manifest }) => ({ ...manifest, files: [{ ...files[0]!, table: '../x' }] })),
      /^manifest\.json is not a backup manifest/,
    ],
    ['a missing file', (folder) => rm(path.join(folder, tickets)), /^tickets\.zst is missing$/],
    ['a truncated file', (folder) => truncate(path.join(folder, tickets), 100), /^tickets\.zst can't be read/],
    ['a changed byte', (folder) => flip(path.join(folder, tickets)), /^tickets\.zst (can't be read|was changed)/],
    [
      'two swapped files',
      async (folder) => {
        await rename(path.join(folder, tickets), path.join(folder, 'x'));
        await rename(path.join(folder, 'draws.zst'), path.join(folder, tickets));
        await rename(path.join(folder, 'x'), path.join(folder, 'draws.zst'));
      },
      /^(draws|tickets)\.zst has \d+ bytes, but the manifest says \d+$/,
    ],
    [
      'a row count',
      (folder) =>
        edit(folder, ({ files, ...manifest }) => ({
          ...manifest,
          files: files.map((file) => (file.table === 'tickets' ? { ...file, rows: file.rows + 1 } : file)),
        })),
      /^tickets\.zst has \d+ rows, but the manifest says \d+$/,
    ],
    [
      'a file missing from the manifest',
      (folder) => copyFile(path.join(folder, tickets), path.join(folder, 'more.zst')),
      /^more\.zst is not in the manifest$/,
    ],
  ];

  beforeAll(async () => {
    await take({ name: 'unchanged' });
  });

  it.each(cases)('%s', async (_what, change, sentence) => {
    const folder = path.join(into, 'changed');
    await rm(folder, { recursive: true, force: true });
    await cp(path.join(into, 'unchanged'), folder, { recursive: true });
    await change(folder);
    const { problems } = await verifyBackup(folder);
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toMatch(sentence);
  });

  async function edit(folder: string, change: (manifest: Manifest) => object): Promise<void> {
    const file = path.join(folder, MANIFEST);
    await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Manifest)));
  }

  async function flip(file: string): Promise<void> {
    const content = await readFile(file);
    const middle = Math.floor(content.length / 2);
    content[middle] = content[middle]! ^ 1;
    await writeFile(file, content);
  }
});

it('tables follow the tables they reference', async () => {
  const references = await t.db.query<{ table: string; refers: string }>(
    `select conrelid::regclass::text as table, confrelid::regclass::text as refers from pg_constraint
     where contype = 'f' and conrelid <> confrelid`,
  );
  const { files } = await take({ name: 'ordered' });
  const order = files.map(({ table }) => table);
  const inBackup = references.filter(({ table, refers }) => order.includes(table) && order.includes(refers));
  expect(inBackup).not.toEqual([]);
  for (const { table, refers } of inBackup)
    expect(order.indexOf(refers), `${refers} before ${table}`).toBeLessThan(order.indexOf(table));
});
