import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addGame, deleteGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { ForgedBackup, type ForgedRow } from '../../test/tampering/forge-backup.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { activate, backUp, importBackup, otherInstallation } from '../../test/backups/move-tools.ts';
import { digestsOf, rowCounts } from '../../test/tampering/table-rows.ts';
import type { CompleteBackup } from './keep/backup-folders.ts';
import type { Manifest } from './take/archive/manifest.ts';

let source: TestApp;
let destination: TestApp;
let net: Network;
let bystander: Network;
let whole: CompleteBackup;
let dir: string;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [source, destination] = [await TestApp.start(), await otherInstallation()];
  dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-forged-'));
  bystander = await destination.network({ credit: 10 });
  await source.network();
  net = await source.network({ credit: 300, commissions: { user: 1 } });
  await source.bet(net.user, { 1: 5 });
  await source.finishDraw();
  whole = await backUp(source, net.admin);
  destination.clock.set(source.clock.now());
});
afterAll(async () => {
  await Promise.all([destination.close(), source.close()]);
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
    before = await rowCounts(destination.db);
    digests = await digestsOf(destination.db, bystander.networkId);
  });

  const refused = async (saying: RegExp): Promise<void> => {
    await expect(importBackup(destination, backup)).rejects.toThrow(saying);
    expect(await destination.db.query('select from staged_networks')).toEqual([]);
    expect(await digestsOf(destination.db, bystander.networkId), 'another network').toEqual(digests);
    await destination.expectBooksToBalance();
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
    ['with days of another time zone', (of) => ({ ...of, timeZone: 'Europe/Berlin' }), /its days are in/],
    [
      'of a later version',
      (of) => ({ ...of, schema: '9999-later' }),
      /it was taken by another version of Drawhouse \(9999-later\)/,
    ],
    ['of a later time', (of) => ({ ...of, takenAt: '2100-01-01T00:00:00.000Z' }), /The clock here is behind/],
    [
      'encrypted for another key',
      (of) => ({ ...of, recipient: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kdxykhexqyxr5ez' }),
      /it is encrypted, but this server's BACKUP_KEY/,
    ],
    [
      'with an invalid admin name',
      (of) => ({ ...of, admin: { ...of.admin, username: 'an admin' } }),
      /Use 3 to 32 letters/,
    ],
  ])('before its admin is created: %s', async (_what, change, saying) => {
    await rewrite(change);
    await refused(saying);
    expect(await rowCounts(destination.db)).toEqual(before);
  });

  it('if one of its accounts belongs to another network here', async () => {
    await rows('accounts', (all) =>
      all.map((row) => (row['id'] === net.user._id ? { ...row, id: bystander.user._id } : row)),
    );
    await refused(/1 of its accounts are not below its admin/);
  });

  it('if one of its draws belongs to another network here', async () => {
    await destination.bet(bystander.user, { 1: 1 });
    const [theirs] = await destination.db.query<{ id: string }>('select id from draws where network_id = $1', [
      bystander.networkId,
    ]);
    await rows('draws', ([first, ...rest]) => [{ ...first!, id: theirs!.id }, ...rest]);
    await refused(/1 of its draws belong to other networks/);
  });

  it.each<[string, object]>([
    ['the percentages of another admin', { percentages: [{ adminId: 'OTHER', gameId: 'luckycard12', after: 300 }] }],
    ['the limits of another admin', { adminId: 'OTHER', limits: [{ gameId: 'luckycard12', after: {} }] }],
    ['an account of another network', { accountId: 'OTHER', commission: 3 }],
  ])('if its moved log names %s', async (_what, detail) => {
    const detailText = JSON.stringify(detail).replaceAll('OTHER', bystander.admin._id);
    await rows('root_activity', (all) => [
      ...all,
      { ...all[0]!, seq: '-900', id: '00000000-0000-7000-8000-000000000000', detail: detailText },
    ]);
    await refused(/1 of its rows from other installations concern other networks/);
  });

  it.each([
    ['from the future', { at: '2100-01-01 00:00:00+00', border_version: '1' }],
    ['beyond its border transfers', { at: '2026-01-01 00:00:00+00', border_version: '900' }],
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
    await refused(/Images of its games don't match their hashes/);
    expect(await destination.db.query('select from images')).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['too many outcomes', { digits: '2000000000' }],
    ['an unknown family', { family: 'forged' }],
    ['a key that is not a path segment', { game_key: '../x' }],
    ['an invisible name', { name: '\u200b' }],
    ['an excessive price', { unit_price: '900000000000000000' }],
    ['invalid pays', { pays: '{"number": -5}' }],
  ])('if a game missing here has %s', async (_what, change) => {
    await rows('games', (all) =>
      all.map((row) => ({ ...row, id: randomUUID(), game_key: 'Forged22', logo: '\\N', image: '\\N', ...change })),
    );
    await refused(/This server does not support these games of the network/);
    expect(await destination.db.query(`select from games where name = 'Forged22'`)).toEqual([]);
  });
});

describe('two concurrent imports of one network', () => {
  it('import it once', async () => {
    const ended = await Promise.allSettled([importBackup(destination, whole), importBackup(destination, whole)]);
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
    expect(failures).toEqual([
      expect.stringMatching(/already exists here|Please wait until it has finished|has already been moved here/),
    ]);
    await destination.expectBooksToBalance();
    await activate(destination, net.admin);
    expect(await destination.db.query('select from networks where admin_id = $1', [net.admin._id])).toHaveLength(1);
    expect(await destination.credit(await destination.signIn(net.admin.username))).toBe(await source.credit(net.admin));
  });
});

describe('a network with a deleted game', () => {
  it('brings it unchanged', async () => {
    const root = await source.signIn('superadmin');
    const { data: games } = await source.ok(gameList.route, { query: {} }, root);
    const body = {
      gameName: 'Short-lived',
      nodigit: 5,
      timeId: [games[0]!.timeId[0]!._id],
      description: 'a game',
      publisher: 'they',
      releaseDate: '2026-01-01',
      label: 'no',
    };
    const { data: game } = await source.ok(addGame, { body } as never, root);
    await source.db.query(`update games set status = 'coming-soon' where id = $1`, [game._id]);
    const own = await source.network({ credit: 20, games: [game.gameId, 'luckycard12'] });
    await source.db.query('delete from draws where game_id = $1', [game._id]);
    await source.ok(deleteGame, { params: { id: game._id } }, root);
    const backup = await backUp(source, own.admin);
    destination.clock.set(source.clock.now());
    destination.clock.advance(1_000);
    await importBackup(destination, backup);
    expect(
      await destination.db.query('select deleted_at is not null as gone from games where id = $1', [game._id]),
    ).toEqual([{ gone: true }]);
    await destination.expectBooksToBalance();
  });
});
