import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEARING_ORDER, deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { placeBets } from '@drawhouse/contract/tickets/many-bets';
import { setWelcomeShown } from '@drawhouse/contract/players/welcome';
import { setOwnLimit } from '@drawhouse/contract/players/protection';
import { claimWin, printTicket } from '@drawhouse/contract/tickets/tickets';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { changeOfGame, onEachDigit, playNetwork } from '../../test/audit-world.ts';
import { keepParts } from '../../test/kept-rows.ts';
import { orderOf } from '../../test/backup-order.ts';
import { TestApp } from '../../test/harness.ts';
import { PASSWORD } from '../../test/test-password.ts';
import type { Network } from '../../test/harness.ts';
import { TABLE_OWNERS } from '../table-owners.ts';
import { BackupRefused } from './disk-room.ts';
import { fileNameOf, MANIFEST, readManifest } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { ROOT_TOLD } from './root-told.ts';
import { takeBackup } from './take-backup.ts';
import type { BackupOrder } from './take-backup.ts';
import { verifyBackup } from './verify-backup.ts';
import { makeKey, uniqueIdOf } from '../../test/program-keys.ts';

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

/** Clears what was played: what takes its place is backed up with the rest. */
async function clearADay(): Promise<void> {
  t.clock.advance(86_400_000);
  for (let times = 0; times < 12; times++) await t.app.tick();
  for (const as of ['admin', 'user', 'superadmin'] as const) net[as] = await t.signIn(net[as].username);
  other.user = await t.signIn(other.user.username);
  const body = { startDate: '2026-03-01', endDate: '2026-03-31', models: [...CLEARING_ORDER] };
  await t.ok(deleteRecords, { body }, net.admin);
  await t.bet(net.user, onEachDigit(1));
}

/** What leaves rows where a played network has none: a claim, an answer that is kept, images of a game. */
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
  await t.ok(setOwnLimit, { params: { limit: 'stakePerDay' }, body: { value: 500 } }, net.user);
  net.superadmin = await t.signIn(net.superadmin.username);
  await t.give(net.superadmin, net.superadmin, 500);
  await t.give(net.superadmin, net.admin, 5);
  const order = { toUserId: net.superdistributor._id, transferAmount: 5, password: PASSWORD };
  const { creditTransfer } = accountRoutes.superdistributor;
  net.admin = await t.signIn(net.admin.username);
  await t.ok(creditTransfer, { body: order }, { ...net.admin, idempotencyKey: 'once' });
  await t.ok(setWelcomeShown, { body: { shown: false } }, net.admin);
  const { key } = await makeKey(t, net.admin);
  const player = await uniqueIdOf(t, net.user);
  const bet = { player, gameId: 'funtargetbingo', requestId: 'by a key', lines: [{ drawno: '7', qty: 1 }] };
  await t.ok(placeBets, { body: { bets: [bet] } }, { token: key });
  // As a restore leaves it.
  await t.db.query(
    `with restored as (
       insert into restores (network_id, id, at, taken_at, amount, root_log_from, root_log_until, root_version_from, root_version_until, username)
       values ($1, gen_random_uuid(), now(), now(), 0, 1, 2, 1, 2, 'admin') returning id)
     insert into undone_activity (network_id, seq, restore_id) select $1, 2, id from restored`,
    [net.networkId],
  );
  // As a move leaves it.
  await t.db.query(
    `with moved as (
       insert into moves (network_id, id, at, taken_at, amount, border_version, told_hash, username)
       values ($1, gen_random_uuid(), now(), now(), 0, 0, sha256(''), 'root') returning id)
     insert into moved_activity (network_id, seq, id, at, move_id, username, subject)
     select $1, 0, gen_random_uuid(), now(), id, 'root', 'Did something' from moved`,
    [net.networkId],
  );
  await keepParts(t.db, net.networkId);
  await t.db.query(`insert into images values (sha256('a'), 'a'), (sha256('b'), 'b'), (sha256('c'), 'c')`);
  await t.db.query(`update games set logo = sha256('a') where game_key = 'funtargetbingo'`);
  await t.db.query(`insert into game_images select id, 0, sha256('b') from games where game_key = 'funtargetbingo'`);
}

function take(order: Partial<BackupOrder> = {}): Promise<Manifest> {
  return takeBackup(orderOf(t, net, into, order));
}

function isTable({ table }: Manifest['files'][number]): boolean {
  return table !== ROOT_TOLD.table;
}

/** Reads the files of a backup into tables of a connection's own, named as the tables are. */
async function readBack(name: string, look: (client: pg.Client, manifest: Manifest) => Promise<void>): Promise<void> {
  const folder = path.join(into, name);
  const manifest = (await readManifest(folder))!;
  const client = new pg.Client({ connectionString: t.database.ownerUrl });
  await client.connect();
  try {
    for (const { table, columns } of manifest.files.filter(isTable)) {
      await client.query(`create temp table ${table} as select ${columns.join(', ')} from public.${table} limit 0`);
      const sink = client.query(copyFrom(`copy pg_temp.${table} (${columns.join(', ')}) from stdin`));
      await pipeline(createReadStream(path.join(folder, fileNameOf(table, manifest))), createZstdDecompress(), sink);
    }
    await look(client, manifest);
  } finally {
    await client.end();
  }
}

describe('what a backup has', () => {
  it('is every row of the network and of no other, in every table that has any', async () => {
    const { files } = await take({ name: 'whole' });
    await readBack('whole', async (client) => {
      for (const { table, columns, rows } of files.filter(isTable)) {
        const { backup } = TABLE_OWNERS[table]!;
        const where = backup === 'of the network' ? 'network_id = $1' : (backup as { where: string }).where;
        // JSON has no equality.
        const shown = columns.map((column) => `${column}::text`).join(', ');
        const kept = `select ${shown} from pg_temp.${table}`;
        const stored = `select ${shown} from public.${table} where ${where.replaceAll(/\b(from|join) (\w+)/g, '$1 public.$2').replaceAll('$1', String(net.networkId))}`;
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

  it('says of itself whose it is, and what the books come to', async () => {
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

  it('is of one moment, while bets go on', async () => {
    const player = await t.create(net.retailer);
    await t.give(net.superadmin, player, 400);
    let done = false;
    async function keepBetting(): Promise<number> {
      let bets = 0;
      for (; !done; bets++) expect(await t.bet(player, { [bets % 10]: 1 })).toMatchObject({ status: 201 });
      return bets;
    }
    const betting = keepBetting();
    await expect.poll(() => t.credit(player)).toBeLessThan(400);
    await take({ name: 'busy' });
    done = true;
    expect(await betting).toBeGreaterThan(0);
    await readBack('busy', async (client, { wallets }) => {
      const { rows } = await client.query<{ balance: string; moved: string; staked: string; laid: string }>(
        `select sum(w.balance)::text as balance,
                (select count(*)::text from pg_temp.wallets w2 where w2.balance <>
                  coalesce((select sum(amount) from pg_temp.transfers where to_wallet = w2.id), 0)
                  - coalesce((select sum(amount) from pg_temp.transfers where from_wallet = w2.id), 0)
                  + coalesce((select sum(closing - opening) from pg_temp.wallet_gaps where wallet_id = w2.id), 0)) as moved,
                -- Of what was cleared one of the two may be left.
                (select sum(amount)::text from pg_temp.transfers where kind = 7 and reference in (select id from pg_temp.tickets)) as staked,
                (select sum(stake)::text from pg_temp.tickets where id in (select reference from pg_temp.transfers where kind = 7)) as laid
         from pg_temp.wallets w`,
      );
      expect(rows[0]).toMatchObject({ balance: '0', moved: '0', staked: rows[0]!.laid });
      const { rows: kinds } = await client.query<{ balance: string }>(
        'select sum(balance)::text as balance from pg_temp.wallets group by kind order by kind',
      );
      expect(wallets.map(({ balance }) => balance)).toEqual(kinds.map(({ balance }) => balance));
    });
  });

  it('tells how far it has come, never beyond all of it', async () => {
    const told: (readonly [string, number, number])[] = [];
    await take({ name: 'told', progress: (...far) => void told.push(far) });
    expect(new Set(told.map(([step]) => step))).toEqual(new Set(['Copying rows']));
    const shares = told.map(([, done, total]) => done / total);
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBeLessThan(1);
    expect(shares.at(-1)).toBeCloseTo(1);
    const read: number[] = [];
    await verifyBackup(path.join(into, 'told'), { progress: (_step, done, total) => void read.push(done / total) });
    expect(read.at(-1)).toBe(1);
  });

  it('is nobody else’s to read', async () => {
    await take({ name: 'private' });
    const folder = path.join(into, 'private');
    const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;
    expect(await modeOf(folder)).toBe(0o700);
    for (const name of await readdir(folder))
      expect(await modeOf(path.join(folder, name)), `mode of ${name}`).toBe(0o600);
  });
});

describe('a backup that is encrypted', () => {
  it('is read by the identity alone that it is encrypted for', async () => {
    const [mine, others] = [await generateX25519Identity(), await generateX25519Identity()];
    const recipient = await identityToRecipient(mine);
    for (const [name, key] of [
      ['by-identity', mine],
      ['for-recipient', recipient],
    ] as const) {
      const { files, recipient: told } = await take({ name, key });
      const folder = path.join(into, name);
      expect(told).toBe(recipient);
      expect(await verifyBackup(folder, { key: mine })).toEqual(RIGHT);
      for (const noKey of [undefined, others, recipient])
        expect(await verifyBackup(folder, { key: noKey })).toEqual({ problems: [], areRowsCounted: false });
      const content = await readFile(path.join(folder, 'accounts.zst.age'));
      expect(content.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
      const names = await readdir(folder);
      expect(names.filter((one) => !one.endsWith('.zst.age'))).toEqual([MANIFEST]);
      expect(names).toHaveLength(files.length + 1);
    }
  });

  it('is not begun with a key that is mistyped', async () => {
    const key = (await generateX25519Identity()).replace(/.$/, (last) => (last === 'Q' ? 'P' : 'Q'));
    await expect(take({ name: 'mistyped', key })).rejects.toThrow(/checksum/i);
    expect(await readdir(into)).not.toContain('mistyped');
  });
});

/** A disk with so much free at each look, at the last look and all after it the last; it is looked at with every byte. */
function diskWith(...free: readonly number[]): NonNullable<BackupOrder['disk']> {
  let looks = 0;
  return { free: () => Promise.resolve(free[Math.min(looks++, free.length - 1)]!), lookEvery: 1 };
}

describe('a backup that is not made', () => {
  it('is refused where the disk would have less than 1 GB left, before and while it is written', async () => {
    const refused = take({ name: 'full', disk: diskWith(0.9e9) });
    await expect(refused).rejects.toThrow(BackupRefused);
    await expect(refused).rejects.toThrow(/^The disk has no room for a backup: 900 MB are free/);
    // There is room at first, and none once something was written.
    await expect(take({ name: 'full', disk: diskWith(1e12, 0.8e9) })).rejects.toThrow(/: 800 MB are free/);
    expect(await readdir(into)).not.toContain('full');
  });

  it('leaves nothing where it was given up, or the database went away', async () => {
    const stop = new AbortController();
    const given = take({
      name: 'given-up',
      signal: stop.signal,
      disk: {
        free: () => {
          stop.abort(new Error('given up'));
          return Promise.resolve(1e12);
        },
        lookEvery: Infinity,
      },
    });
    await expect(given).rejects.toThrow('given up');
    const cut = take({
      name: 'cut',
      disk: {
        free: async () => {
          await t.db.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'drawhouse backup' and datname = current_database()`,
          );
          return 1e12;
        },
        lookEvery: Infinity,
      },
    });
    await expect(cut).rejects.toThrow(/^The database did not answer/);
    expect(await readdir(into)).not.toEqual(expect.arrayContaining([expect.stringMatching(/given-up|cut/)]));
  });

  it('never goes into a folder that is there', async () => {
    await take({ name: 'once' });
    await expect(take({ name: 'once' })).rejects.toThrow(/EEXIST/);
    expect(await verifyBackup(path.join(into, 'once'))).toEqual(RIGHT);
  });
});

describe('a backup that was changed is found out:', () => {
  const tickets = 'tickets.zst';
  const cases: [string, (folder: string) => Promise<unknown>, RegExp][] = [
    [
      'one without its manifest',
      (folder) => rm(path.join(folder, MANIFEST)),
      /^manifest\.json is missing: the backup was not finished$/,
    ],
    [
      'a manifest that is no JSON',
      (folder) => writeFile(path.join(folder, MANIFEST), '{'),
      /^manifest\.json is not what a backup has/,
    ],
    [
      'a manifest of another form',
      (folder) => edit(folder, (manifest) => ({ ...manifest, format: 2 })),
      /^manifest\.json is not what a backup has/,
    ],
    [
      'a manifest that leads out of its folder',
      (folder) => edit(folder, ({ files, ...manifest }) => ({ ...manifest, files: [{ ...files[0]!, table: '../x' }] })),
      /^manifest\.json is not what a backup has/,
    ],
    ['a file that is missing', (folder) => rm(path.join(folder, tickets)), /^tickets\.zst is missing$/],
    ['one that was cut off', (folder) => truncate(path.join(folder, tickets), 100), /^tickets\.zst can't be read/],
    [
      'one with another byte',
      (folder) => flip(path.join(folder, tickets)),
      /^tickets\.zst (can't be read|was changed)/,
    ],
    [
      'two that changed places',
      async (folder) => {
        await rename(path.join(folder, tickets), path.join(folder, 'x'));
        await rename(path.join(folder, 'draws.zst'), path.join(folder, tickets));
        await rename(path.join(folder, 'x'), path.join(folder, 'draws.zst'));
      },
      /^(draws|tickets)\.zst has \d+ bytes; the manifest says \d+$/,
    ],
    [
      'a count of rows',
      (folder) =>
        edit(folder, ({ files, ...manifest }) => ({
          ...manifest,
          files: files.map((file) => (file.table === 'tickets' ? { ...file, rows: file.rows + 1 } : file)),
        })),
      /^tickets\.zst has \d+ rows; the manifest says \d+$/,
    ],
    [
      'a file that nobody named',
      (folder) => copyFile(path.join(folder, tickets), path.join(folder, 'more.zst')),
      /^more\.zst is there, and the manifest does not name it$/,
    ],
  ];

  it.each(cases)('%s', async (_what, change, sentence) => {
    await rm(path.join(into, 'changed'), { recursive: true, force: true });
    await take({ name: 'changed' });
    const folder = path.join(into, 'changed');
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

it('every table of a backup comes after those that it refers to', async () => {
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
