import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addGame, deleteGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { ForgedBackup } from '../../test/tampering/forge-backup.ts';
import type { ForgedRow } from '../../test/tampering/forge-backup.ts';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { activate, backUp, importBackup, otherInstallation } from '../../test/backups/move-tools.ts';
import { digestsOf, rowCounts } from '../../test/tampering/table-rows.ts';
import type { CompleteBackup } from './keep/backup-folders.ts';
import type { Manifest } from './take/archive/manifest.ts';

let there: TestApp;
let here: TestApp;
let net: Network;
let bystander: Network;
let whole: CompleteBackup;
let dir: string;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [there, here] = [await TestApp.start(), await otherInstallation()];
  dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-forged-'));
  bystander = await here.network({ credit: 10 });
  await there.network();
  net = await there.network({ credit: 300, commissions: { user: 1 } });
  await there.bet(net.user, { 1: 5 });
  await there.finishDraw();
  whole = await backUp(there, net.admin);
  here.clock.set(there.clock.now());
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await rm(dir, { recursive: true, force: true });
});

describe('an imported network is refused', () => {
  let backup: CompleteBackup;
  let before: Awaited<ReturnType<typeof rowCounts>>;
  let digests: Awaited<ReturnType<typeof digestsOf>>;
  beforeEach(async () => {
    const folder = path.join(dir, randomUUID());
    await cp(whole.folder, folder, { recursive: true });
    backup = { ...whole, folder };
    before = await rowCounts(here.db);
    digests = await digestsOf(here.db, bystander.networkId);
  });

  const refused = async (saying: RegExp): Promise<void> => {
    await expect(importBackup(here, backup)).rejects.toThrow(saying);
    expect(await here.db.query('select from staged_networks')).toEqual([]);
    expect(await digestsOf(here.db, bystander.networkId), 'another network').toEqual(digests);
    await here.expectBooksToBalance();
  };
  const rewrite = async (change: (of: Manifest) => object): Promise<void> => {
    const forged = new ForgedBackup(backup.folder);
    await forged.rewrite(change);
    backup = { ...backup, manifest: await forged.manifest() };
  };
  const rows = async (table: string, change: (rows: ForgedRow[]) => ForgedRow[]): Promise<void> => {
    const forged = new ForgedBackup(backup.folder);
    await forged.rows(table, change);
    backup = { ...backup, manifest: await forged.manifest() };
  };

  it.each<[string, (of: Manifest) => object, RegExp]>([
    ['whose days are of another time zone', (of) => ({ ...of, timeZone: 'Europe/Berlin' }), /its days are in/],
    [
      'of a later version',
      (of) => ({ ...of, schema: '9999-later' }),
      /it was taken by another version of Drawhouse \(9999-later\)/,
    ],
    ['of a later time', (of) => ({ ...of, takenAt: '2100-01-01T00:00:00.000Z' }), /The clock here is behind/],
    [
      'that is encrypted for another key',
      (of) => ({ ...of, recipient: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kdxykhexqyxr5ez' }),
      /it is encrypted, but this server's BACKUP_KEY/,
    ],
    [
      'whose admin has a name that nobody can have',
      (of) => ({ ...of, admin: { ...of.admin, username: 'an admin' } }),
      /Use 3 to 32 letters/,
    ],
  ])('before its admin is created, %s', async (_what, change, saying) => {
    await rewrite(change);
    await refused(saying);
    expect(await rowCounts(here.db)).toEqual(before);
  });

  it('if one of its accounts belongs to another network here', async () => {
    await rows('accounts', (all) =>
      all.map((row) => (row['id'] === net.user._id ? { ...row, id: bystander.user._id } : row)),
    );
    await refused(/1 of its accounts are not below its admin/);
  });

  it('if one of its draws belongs to another network here', async () => {
    await here.bet(bystander.user, { 1: 1 });
    const [theirs] = await here.db.query<{ id: string }>('select id from draws where network_id = $1', [
      bystander.networkId,
    ]);
    await rows('draws', ([first, ...rest]) => [{ ...first!, id: theirs!.id }, ...rest]);
    await refused(/1 of its draws belong to other networks/);
  });

  it.each<[string, object]>([
    ['the percentages of another admin', { percentages: [{ adminId: 'OTHER', gameId: 'luckycard12', after: 300 }] }],
    ['the limits of another admin', { adminId: 'OTHER', limits: [{ gameId: 'luckycard12', after: {} }] }],
    ['an account of another network', { accountId: 'OTHER', commission: 3 }],
  ])('if its log from elsewhere names %s', async (_what, detail) => {
    const told = JSON.stringify(detail).replaceAll('OTHER', bystander.admin._id);
    await rows('root_activity', (all) => [
      ...all,
      { ...all[0]!, seq: '-900', id: '00000000-0000-7000-8000-000000000000', detail: told },
    ]);
    await refused(/1 of its rows from other installations concern other networks/);
  });

  it.each([
    ['of a time to come', { at: '2100-01-01 00:00:00+00', border_version: '1' }],
    ['of more than has crossed its border', { at: '2026-01-01 00:00:00+00', border_version: '900' }],
  ])('if it has a move %s', async (_what, { at, border_version }) => {
    await rows('moves', () => {
      const { files } = backup.manifest;
      const { columns } = files.find(({ table }) => table === 'moves')!;
      const row: Record<string, string> = {
        at,
        taken_at: at,
        amount: '30000',
        border_version,
        id: randomUUID(),
        told_hash: String.raw`\\x00`,
        username: 'forged',
      };
      return [Object.fromEntries(columns.map((name) => [name, row[name]!]))];
    });
    await refused(/1 of its moves are later than the backup/);
  });

  it('if a game image is not what its name says', async () => {
    await rows('games', (all) =>
      all.map((row) => ({ ...row, id: randomUUID(), game_key: 'Forged22', logo: String.raw`\\x${'ab'.repeat(32)}` })),
    );
    await rows('images', () => [{ hash: String.raw`\\x${'ab'.repeat(32)}`, content: String.raw`\\x00` }]);
    await refused(/Images of its games don't match their names/);
    expect(await here.db.query('select from images')).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['an outcome too many', { digits: '2000000000' }],
    ['a family that there is not', { family: 'forged' }],
    ['a key that no address has', { game_key: '../x' }],
    ['an invisible name', { name: '\u200b' }],
    ['a price beyond all', { unit_price: '900000000000000000' }],
    ['pays of its own', { pays: '{"number": -5}' }],
  ])('if a game missing here has %s', async (_what, change) => {
    await rows('games', (all) =>
      all.map((row) => ({ ...row, id: randomUUID(), game_key: 'Forged22', logo: '\\N', image: '\\N', ...change })),
    );
    await refused(/This server does not support these games of the network/);
    expect(await here.db.query(`select from games where name = 'Forged22'`)).toEqual([]);
  });
});

describe('two concurrent imports of one network', () => {
  it('import it once', async () => {
    const ended = await Promise.allSettled([importBackup(here, whole), importBackup(here, whole)]);
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
    expect(failures).toEqual([
      expect.stringMatching(/already exists here|Please wait until it has finished|has already been moved here/),
    ]);
    await here.expectBooksToBalance();
    await activate(here, net.admin);
    expect(await here.db.query('select from networks where admin_id = $1', [net.admin._id])).toHaveLength(1);
    expect(await here.credit(await here.signIn(net.admin.username))).toBe(await there.credit(net.admin));
  });
});

describe('a network with a deleted game', () => {
  it('brings it unchanged', async () => {
    const root = await there.signIn('superadmin');
    const { data: games } = await there.ok(gameList.route, { query: {} }, root);
    const body = {
      gameName: 'Short-lived',
      nodigit: 5,
      timeId: [games[0]!.timeId[0]!._id],
      description: 'a game',
      publisher: 'they',
      releaseDate: '2026-01-01',
      label: 'no',
    };
    const { data: game } = await there.ok(addGame, { body } as never, root);
    await there.db.query(`update games set status = 'coming-soon' where id = $1`, [game._id]);
    const own = await there.network({ credit: 20, games: [game.gameId, 'luckycard12'] });
    await there.db.query('delete from draws where game_id = $1', [game._id]);
    await there.ok(deleteGame, { params: { id: game._id } }, root);
    const backup = await backUp(there, own.admin);
    here.clock.set(there.clock.now());
    here.clock.advance(1_000);
    await importBackup(here, backup);
    expect(await here.db.query('select deleted_at is not null as gone from games where id = $1', [game._id])).toEqual([
      { gone: true },
    ]);
    await here.expectBooksToBalance();
  });
});
