import { ownerOf } from '../../accounts/authority.ts';
import { cp, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { importBackup as restoreBackup, undoRestore } from '@drawhouse/contract/backup/backups';
import { addLogin } from '@drawhouse/contract/logins/logins';
import { statement } from '@drawhouse/contract/credit/statement';
import { addGame, changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { percentages, setPercentages } from '@drawhouse/contract/games/percentages';
import { setOwnLimit, setPlayerLimit } from '@drawhouse/contract/players/protection';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FIRST_SUPERADMIN } from '../../compose/first-start.ts';
import { parseNetworkArgs } from '../../commands/run-network.ts';
import { TEST_SEAL_KEY_HEX } from '../../../test/test-seal-key.ts';
import { TestApp, type Network } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { activate, backUp, importBackup, otherInstallation, toolsOf } from '../../../test/backups/move-tools.ts';
import { ForgedBackup } from '../../../test/tampering/forge-backup.ts';
import { startCommand } from '../../../test/processes/server-process.ts';
import { digestsOf, rowCounts } from '../../../test/tampering/table-rows.ts';
import { auditAfter } from '../../../test/tampering/tampered.ts';
import { isKeyedByNetwork } from '../../config/tables/table-owner.ts';
import { TABLE_OWNERS } from '../../config/tables/table-owners.ts';
import type { CompleteBackup } from '../keep/backup-folders.ts';
import { readManifest } from '../take/archive/manifest.ts';
import { moveNetwork } from './move-network.ts';

const NETWORK = fileURLToPath(new URL('../../commands/run-network.ts', import.meta.url));
const GAME = 'funtargetbingo';
const MARCH = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z' };

let source: TestApp;
let destination: TestApp;
let net: Network;
let other: Network;
let bystander: Network;
let dir: string;
const said = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  [source, destination] = [await TestApp.start(), await otherInstallation()];
  dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-moving-'));
  [bystander, other] = [await destination.network({ credit: 10 }), await source.network({ credit: 10 })];
  net = await source.network({ credit: 300, reserve: 0, commissions: { user: 1 } });
  const root = await source.signIn(FIRST_SUPERADMIN);
  const { data: pairs } = await source.ok(percentages, { params: { id: root._id } }, root);
  const updates = pairs.map(({ id }) => ({ id, winpercentage: 90 }));
  await source.ok(setPercentages, { params: { id: root._id }, body: { updates } }, root);
  const ofPlayer = { playerId: net.user._id, limit: 'stakePerDay' } as const;
  await source.ok(setPlayerLimit, { params: ofPlayer, body: { value: 200 } }, root);
  await source.ok(setOwnLimit, { params: { limit: 'lossPerWeek' }, body: { value: 200 } }, net.user);
  await source.bet(net.user, { 1: 5 });
  await source.finishDraw();
  net.user = await source.signIn(net.user.username);
  await source.bet(net.user, { 2: 7 });
  await source.db.query(`update draws set sealed_seed = sha256(sealed_seed) where sealed_seed is not null`);
});
afterAll(async () => {
  await Promise.all([destination.close(), source.close()]);
  await rm(dir, { recursive: true, force: true });
});

const runIn = (t: TestApp, ...args: string[]) =>
  startCommand(NETWORK, args, {
    DATABASE_URL: t.database.serverUrl,
    DATABASE_OWNER_URL: t.database.ownerUrl,
    BACKUP_DIR: t.backupDir,
    DATA_DIR: dir,
    SEED_KEY: '5a'.repeat(32),
    SEAL_KEY: TEST_SEAL_KEY_HEX,
  }).ended;

const creditOf = async (t: TestApp, role: 'admin' | 'user'): Promise<number> =>
  t.credit(await t.signIn(net[role].username));

describe('a network export', () => {
  it('is one archive that verifies anywhere', async () => {
    const archive = path.join(dir, 'network.zip');
    const { code, output } = await runIn(source, 'export', net.admin.username, archive);
    expect(output).toContain(`ok     ${net.admin.username}  ${archive}  the network of ${net.admin.username} as of`);
    expect(output).toContain('is active, and later changes in its network are not in the archive.');
    expect(code).toBe(0);
    const verified = await runIn(destination, 'verify', archive);
    expect(verified.output).toContain(`5 accounts, 2 tickets, 300.00 points`);
    expect(verified.code).toBe(0);
    expect(await readdir(dir), 'what was unpacked is gone').toEqual(['network.zip']);
  });

  it('never overwrites anything and refuses a damaged backup', async () => {
    const archive = path.join(dir, 'network.zip');
    expect(await runIn(source, 'export', net.admin.username, archive)).toMatchObject({
      code: 1,
      output: expect.stringContaining('network.zip already exists.'),
    });
    expect(
      await runIn(source, 'export', net.admin.username, path.join(dir, 'none.zip'), '--backup', '../x'),
    ).toMatchObject({ code: 1, output: expect.stringContaining('has no intact backup ../x.') });
    await writeFile(path.join(dir, 'broken.zip'), 'PK');
    for (const [file, why] of [
      ['broken.zip', /broken\.zip is not a backup archive: .*[^.]\.$/m],
      ['none.zip', /none\.zip does not exist\./],
    ] as const)
      expect(await runIn(source, 'verify', path.join(dir, file))).toMatchObject({
        code: 1,
        output: expect.stringMatching(why) as string,
      });
  });

  it('removes folders left by a killed process after a day', async () => {
    const [left, recent] = ['drawhouse-moving-abcdef', 'drawhouse-moving-ABCDEF'].map((name) => path.join(dir, name));
    await Promise.all([mkdir(left!), mkdir(recent!)]);
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(left!, before, before);
    await runIn(source, 'verify', path.join(dir, 'network.zip'));
    expect((await readdir(dir)).filter((name) => name.startsWith('drawhouse'))).toEqual(['drawhouse-moving-ABCDEF']);
    await rm(recent!, { recursive: true });
  });

  it("includes only this network's part of the superadmin's log, without addresses", async () => {
    const { folder } = await backUp(source, net.admin);
    const rows = await text(createReadStream(path.join(folder, 'root_activity.zst')).pipe(createZstdDecompress()));
    expect(rows).toContain(net.admin._id);
    expect(rows).toContain('"after": 90');
    expect(rows).not.toContain(other.admin._id);
    expect(rows).not.toContain(other.admin.username);
    expect(rows).not.toContain('127.0.0.1');
  });
});

describe('a network import', () => {
  let backup: CompleteBackup;
  let renames: Readonly<Record<string, string>>;
  beforeAll(async () => {
    const login = { username: 'meera.front', name: 'Meera', role: 'cashier' as const, password: PASSWORD };
    await source.ok(addLogin, { body: login }, net.admin);
    backup = await backUp(source, net.admin);
    renames = { [net.user.username]: 'newcomer', 'meera.front': 'meera.moved' };
    destination.clock.set(source.clock.now());
  });

  it('only describes itself until confirmed', async () => {
    const before = await rowCounts(destination.db);
    await expect(importBackup(destination, backup, { isMeant: false })).rejects.toThrow(
      /5 accounts, 2 tickets, 300.00 points.* to be placed below superadmin\. Add --yes to import it\./,
    );
    expect(await rowCounts(destination.db)).toEqual(before);
  });

  it('is refused if a name is taken, and accepts another', async () => {
    const root = await destination.signIn(FIRST_SUPERADMIN);
    await destination.make(root, { role: 'admin', username: net.user.username });
    await expect(importBackup(destination, backup)).rejects.toThrow(
      `These usernames are taken: ${net.user.username}. Choose others. The admin ${net.admin.username} was created for ` +
        'this import and is empty',
    );
    await destination.expectBooksToBalance();
  });

  it('is refused if the username of a login is taken', async () => {
    const root = await destination.signIn(FIRST_SUPERADMIN);
    await destination.make(root, { role: 'admin', username: 'meera.front' });
    await expect(importBackup(destination, backup, { renames: { [net.user.username]: 'newcomer' } })).rejects.toThrow(
      'These usernames of logins are taken here: meera.front. Choose another for each.',
    );
  });

  it('is refused if the new name of its admin is taken, and says how to choose another', async () => {
    const wish = { renames: { [other.admin.username]: bystander.admin.username } };
    await expect(importBackup(destination, await backUp(source, other.admin), wish)).rejects.toThrow(
      `${bystander.admin.username}: This username is taken. Names of deleted accounts stay taken. Rename it with ` +
        `--rename ${other.admin.username}=NEW.`,
    );
  });

  it('is refused if draw terms are stored under a wrong id', async () => {
    const folder = path.join(dir, backup.name);
    await cp(backup.folder, folder, { recursive: true });
    await new ForgedBackup(folder).text('draw_terms', (rows) => rows.replace(/[0-9a-f]{8}-/, 'ffffffff-'));
    const manifest = (await readManifest(folder))!;
    await expect(importBackup(destination, { name: backup.name, folder, manifest })).rejects.toThrow(
      'do not match their id',
    );
    expect(await destination.db.query(`select from draw_terms where id::text like 'ffffffff-%'`)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('leaves an empty admin when aborted, and can be restarted', async () => {
    const { parts, work, services } = toolsOf(destination);
    const [root] = await services.db.query<{ id: string; chain: string[] }>(
      `select id, chain from accounts where username = $1`,
      [FIRST_SUPERADMIN],
    );
    const [admin] = await services.db.query<{ networkId: number }>(
      `select network_id as "networkId" from accounts where id = $1`,
      [net.admin._id],
    );
    const actor = ownerOf({
      id: root!.id,
      networkId: 0,
      username: FIRST_SUPERADMIN,
      role: 'superadmin',
      chain: root!.chain,
    });
    const call = { actor, origin: { url: '', method: '', ip: '', userAgent: '' } };
    const made = ownerOf({
      id: net.admin._id,
      networkId: admin!.networkId,
      username: net.admin.username,
      role: 'admin',
      chain: [root!.id, net.admin._id],
    });
    const moved = work.run({ adminId: net.admin._id, kind: 'move', by: 'a test' }, async ({ progress }) => {
      const stop = new AbortController();
      return moveNetwork(
        parts,
        { call, backup, renames, admin: made },
        {
          signal: stop.signal,
          progress(step, done, total) {
            progress(step, done, total);
            if (step === 'Auditing') stop.abort(new Error('It was stopped.'));
          },
        },
      );
    });
    await expect(moved).rejects.toThrow('It was stopped.');
    expect(await destination.db.query('select from staged_networks')).toEqual([]);
    expect(await destination.db.query('select from moves')).toEqual([]);
    await destination.expectBooksToBalance();
  });

  it('blocks nothing else, and nobody writes to its target', async () => {
    const root = await destination.signIn(FIRST_SUPERADMIN);
    await activate(destination, net.admin);
    await destination.give(root, root, 50);
    const order = { toUserId: net.admin._id, transferAmount: 20, password: PASSWORD };
    expect(await destination.call(accountRoutes.admin.creditTransfer, { body: order }, root)).toMatchObject({
      status: 422,
      body: { message: "This admin's network is being moved here. Wait until the move is complete." },
    });
    const child = {
      username: 'too-early',
      password: PASSWORD,
      commission: 0,
      note: 'x',
      role: 'superdistributor',
      refId: net.admin._id,
    };
    expect(await destination.call(accountRoutes.superdistributor.create, { body: child } as never, root)).toMatchObject(
      {
        status: 400,
        body: {
          fields: { refId: 'The network of this admin is being moved here. Wait until the move is complete' },
        },
      },
    );
    const params = { userId: net.admin._id, action: 'deactivate' } as const;
    await destination.ok(accountRoutes.admin.toggleStatus, { params }, root);
  });

  it('is refused while the clock is behind', async () => {
    destination.clock.advance(-60_000);
    await expect(importBackup(destination, backup)).rejects.toThrow('The clock here is behind the backup');
    destination.clock.advance(60_000);
  });

  it('brings accounts with passwords, credit, history and game settings', async () => {
    const digests = await digestsOf(destination.db, bystander.networkId);
    await importBackup(destination, backup, { renames });
    await destination.expectBooksToBalance();
    expect(await digestsOf(destination.db, bystander.networkId), 'another network').toEqual(digests);
    await expect(destination.signIn('newcomer'), 'before it is activated').rejects.toThrow('ACCOUNT_INACTIVE');

    await activate(destination, net.admin);
    net.user = { ...net.user, username: 'newcomer' };
    expect((await destination.signIn('meera.moved'))._id).toBe(net.admin._id);
    const [user] = await source.db.query<{ held: number }>(
      'select (sum(balance) / 100)::float as held from wallets where owner_id = $1 and kind in ' +
        `(${WALLET_KINDS.credit}, ${WALLET_KINDS.winnings})`,
      [net.user._id],
    );
    expect(await creditOf(destination, 'user')).toBe(user!.held + 7);
    expect(
      await destination.db.query(
        `select status, seed is null as sealed, void_cause from draws where network_id <> $1 and ticket_count = 1 order by id`,
        [bystander.networkId],
      ),
    ).toEqual([
      { status: 'settled', sealed: false, void_cause: null },
      { status: 'void', sealed: true, void_cause: 'restore' },
    ]);
    const admin = await destination.signIn(net.admin.username);
    const { data } = await destination.ok(statement.route, { query: { ...MARCH, order: 'asc' } } as never, admin);
    expect(data.find(({ credit }) => credit === 300)).toMatchObject({ counterpart: FIRST_SUPERADMIN, credit: 300 });
    const root = await destination.signIn(FIRST_SUPERADMIN);
    const { data: pairs } = await destination.ok(percentages, { params: { id: root._id } }, root);
    expect(pairs.filter(({ adminId }) => adminId === net.admin._id)).toMatchObject([{ winpercentage: 90 }]);
  });

  it('names the other superadmin only for its actions', async () => {
    const [{ id: superadmin } = { id: '' }] = await source.db.query<{ id: string }>(
      'select id from accounts where username = $1',
      [FIRST_SUPERADMIN],
    );
    const columns = await destination.db.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and table_name = any($1) order by 1, 2`,
      [
        Object.entries(TABLE_OWNERS).flatMap(([name, use]) =>
          isKeyedByNetwork(use) || name === 'accounts' ? [name] : [],
        ),
      ],
    );
    const named: string[] = [];
    for (const { table, column } of columns) {
      const found = await destination.db.query(`select from ${table} where ${column}::text like $1 limit 1`, [
        `%${superadmin}%`,
      ]);
      if (found.length > 0) named.push(`${table}.${column}`);
    }
    expect(named).toEqual([
      'accounts.password_set_by',
      'moved_activity.account_id',
      'moved_activity.detail',
      'protection_changes.by_account',
      'transfers.actor_id',
    ]);
  });

  it("counts the foreign root's actions down to 0", async () => {
    const counting = Object.entries(TABLE_OWNERS).flatMap(([table, { ofRoot = {} }]) =>
      Object.entries(ofRoot).flatMap(([column, means]) => (/^(log|border)$/.test(means) ? [{ table, column }] : [])),
    );
    const [{ networkId } = { networkId: 0 }] = await destination.db.query<{ networkId: number }>(
      'select id as "networkId" from networks where admin_id = $1',
      [net.admin._id],
    );
    for (const { table, column } of counting)
      expect(
        await destination.db.query(`select from ${table} where network_id = $1 and ${column} > 0`, [networkId]),
        `${table}.${column}`,
      ).toEqual([]);
    const names = await destination.db.query<{ name: string }>(
      // In draws, `root_sealed_at` concerns the ticket root.
      `select distinct column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like 'root\\_%' and table_name not in ('staged_networks', 'draws')`,
    );
    const known = new Set(counting.map(({ column }) => column));
    expect(names.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('cannot be undone, because nothing was there before', async () => {
    expect(await destination.db.query('select from staged_networks')).toEqual([]);
    expect(await destination.call(undoRestore, {}, await destination.signIn(net.admin.username))).toMatchObject({
      status: 422,
    });
  });

  it('happens once', async () => {
    await expect(importBackup(destination, backup)).rejects.toThrow('already exists here');
  });

  it('continues here: credit crosses its border, and it is backed up, restored and undone', async () => {
    const root = await destination.signIn(FIRST_SUPERADMIN);
    await destination.give(root, net.admin, 5);
    const own = await destination.ok(statement.route, { query: { ...MARCH, order: 'desc' } } as never, root);
    expect(own.data.find(({ debit }) => debit === 5)).toMatchObject({ counterpart: net.admin.username });
    const { name: folder } = await backUp(destination, net.admin);
    await destination.give(root, net.admin, 4);
    const admin = await destination.signIn(net.admin.username);
    await destination.ok(restoreBackup, { query: { folder } }, admin);
    await destination.expectBooksToBalance();
    await destination.ok(undoRestore, {}, await destination.signIn(net.admin.username));
    await destination.expectBooksToBalance();
    expect(await destination.credit(await destination.signIn(net.admin.username))).toBe(9);
    await destination.bet(await destination.signIn(net.user.username), { 1: 1 });
    await destination.finishDraw();
    await destination.expectBooksToBalance();
  });

  it('differs from a restore, which refuses a foreign backup', async () => {
    const into = path.join(destination.backupDir, net.admin._id, backup.name);
    await cp(backup.folder, into, { recursive: true });
    const admin = await destination.signIn(net.admin.username);
    expect(await destination.call(restoreBackup, { query: { folder: backup.name } }, admin)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('it was taken on another installation') },
    });
  });

  it.each([
    ['the brought credit', 'update moves set amount = amount + 1', 'brought'],
    [
      'the issued credit',
      `update transfers set amount = amount + 100 where network_id = 0 and kind = ${TRANSFER_KINDS.restore}`,
      'was issued',
    ],
    ["the border's version", 'update moves set border_version = border_version + 1', 'brought'],
    [
      'a moved log row',
      `update moved_activity set detail = detail || '{"commission": 3}' where detail ? 'commission'`,
      'is not as it came',
    ],
    [
      'an added moved log row',
      'insert into moved_activity (seq, at, id, move_id, network_id, username, subject) select -1000, at, ' +
        'gen_random_uuid(), gen_random_uuid(), network_id, username, subject from moved_activity limit 1',
      'came with no move of it',
    ],
    ['the move itself', 'delete from moves', 'which does not exist'],
    ['the hash of moved log rows', `update moves set told_hash = sha256('')`, 'is not as it came'],
  ])('is verified by the audit, which detects a change: %s', async (_what, sql, problem) => {
    expect((await auditAfter(destination, sql)).join('\n')).toContain(problem);
  });
});

describe('games of an import', () => {
  it('are added if missing, otherwise unchanged', async () => {
    const root = await source.signIn(FIRST_SUPERADMIN);
    const { data: games } = await source.ok(gameList.route, { query: {} }, root);
    const { timeId } = games.find(({ gameId }) => gameId === GAME)!;
    const { data: added } = await source.ok(
      addGame,
      {
        body: {
          gameName: 'Of theirs',
          nodigit: 7,
          timeId: [timeId[0]!._id],
          description: 'a game',
          publisher: 'they',
          releaseDate: '2026-01-01',
          label: 'no',
        },
      } as never,
      root,
    );
    const own = await source.network({ credit: 20, games: [added.gameId, 'luckycard12'] });
    await source.bet(own.user, { 3: 2 }, { gameId: added.gameId });
    await source.finishDraw();
    const here2 = await otherInstallation();
    try {
      here2.clock.set(source.clock.now());
      const root2 = await here2.signIn(FIRST_SUPERADMIN);
      const { data: theirs } = await here2.ok(gameList.route, { query: {} }, root2);
      const changed = theirs.find(({ gameId }) => gameId === 'luckycard12')!;
      await here2.ok(changeGame, { params: { id: changed._id }, body: { unitPrice: 3 } }, root2);
      const backup = await backUp(source, own.admin);
      said.mockClear();
      await importBackup(here2, backup);
      expect(said.mock.calls.join('\n')).toContain(`These games keep the terms they have here: ${changed.gameName}.`);
      await here2.expectBooksToBalance();
      const { data: now } = await here2.ok(gameList.route, { query: {} }, root2);
      expect(now.find(({ gameId }) => gameId === added.gameId)).toMatchObject({ gameName: 'Of theirs', nodigit: 7 });
      expect(now.find(({ gameId }) => gameId === 'luckycard12')).toMatchObject({ unitPrice: 3 });

      await activate(here2, own.admin);
      await here2.finishDraw();
      expect(await here2.bet(await here2.signIn(own.user.username), { 3: 2 }, { gameId: added.gameId })).toMatchObject({
        status: 201,
      });
      await here2.finishDraw();
      await here2.expectBooksToBalance();
    } finally {
      await here2.close();
    }
  });

  it("are refused if one uses another's key", async () => {
    const here3 = await otherInstallation();
    try {
      await here3.db.query(`update games set game_key = 'another', digits = 3 where game_key = $1`, [GAME]);
      here3.clock.set(source.clock.now());
      await expect(importBackup(here3, await backUp(source, other.admin))).rejects.toThrow(
        'Other games here have the same key or id: ',
      );
    } finally {
      await here3.close();
    }
  });
});

describe('the move command', () => {
  it.each([
    [[], 'Choose export, verify, import, move or undo.'],
    [['send', 'x'], 'Choose export, verify, import, move or undo.'],
    [['move', 'x', '--to', 'cell-2'], 'Name one admin, --to and --settings.'],
    [['move', 'x', '--to', 'cell-2', '--settings', 'y', '--yes'], 'move does not take --yes.'],
    [['export', 'x', 'y', '--to', 'cell-2'], 'export does not take --to.'],
    [['export', 'x'], 'Name one admin and one file.'],
    [['export', 'x', 'y', '--yes'], 'export does not take --yes.'],
    [['verify'], 'Name one file.'],
    [['verify', 'x', '--under', 'y'], 'verify does not take --under.'],
    [['import', 'x', 'y'], 'Name one file.'],
    [['import', 'x', '--backup', 'y'], 'import does not take --backup.'],
    [['import', 'x', '--rename', 'y'], 'Write --rename as OLD=NEW, not y.'],
    [['import', 'x', '--rename', 'y=z=a'], 'Write --rename as OLD=NEW, not y=z=a.'],
    [['import', 'x', '--rename', 'anna=an anna'], 'an anna is not a valid username: Use 3 to 32 letters'],
  ])('rejects %j', (args, why) => {
    expect(() => parseNetworkArgs(args)).toThrow(why);
  });

  it('imports an archive beside a running server', async () => {
    const fresh = await otherInstallation();
    try {
      const archive = path.join(dir, 'other.zip');
      expect(await runIn(source, 'export', other.admin.username, archive)).toMatchObject({ code: 0 });
      const done = await runIn(fresh, 'import', archive, '--yes', '--rename', `${other.admin.username}=newcomer`);
      expect(done.output).toContain('newcomer is inactive, so nobody in its network can sign in');
      expect(done.code).toBe(0);
      await fresh.expectBooksToBalance();
      expect(await runIn(fresh, 'import', archive, '--under', 'nobody')).toMatchObject({
        code: 1,
        output: expect.stringContaining('There is no superadmin nobody.'),
      });
    } finally {
      await fresh.close();
    }
  });
});
