import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backupLosses, drillBackup, exportBackup, importBackup, listBackups } from '@drawhouse/contract/backup/backups';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { changeOfGame, playNetwork } from '../../test/worlds/audit-world.ts';
import { ForgedBackup, type ForgedRow } from '../../test/tampering/forge-backup.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { digestsOf, rowCounts } from '../../test/tampering/table-rows.ts';

/** Anyone with access to the backup folder can forge rows with a matching manifest. */

let t: TestApp;
let net: Network;
let bystander: Network;
let folder: string;
let forged: ForgedBackup;

beforeAll(async () => {
  t = await TestApp.start();
  ({ net } = await playNetwork(t, { confirmed: false }));
  bystander = await t.network({ credit: 70 });
  await t.bet(bystander.user, { 3: 4 });
});
afterAll(() => t.close());

beforeEach(async () => {
  Object.assign(net.admin, await t.signIn(net.admin.username));
  ({ folder } = await t.ok(exportBackup, {}, net.admin));
  forged = new ForgedBackup(path.join(t.backupDir, net.admin._id, folder));
});

const shared = async (): Promise<string[]> => {
  const rows = await t.db.query<{ row: string }>(
    `select row from (select x::text as row from draw_terms x union all select x::text from games x union all select x::text from images x
     union all select x::text from times x union all select x::text from game_times x union all select x::text
      from game_images x) as rows order by row`,
  );
  return rows.map(({ row }) => row);
};

async function harmsNobody(act: () => Promise<void>): Promise<void> {
  const before = [await digestsOf(t.db, bystander.networkId), await shared()];
  await act();
  expect([await digestsOf(t.db, bystander.networkId), await shared()]).toEqual(before);
  await t.expectBooksToBalance();
}

async function refused(saying: string): Promise<void> {
  const before = await rowCounts(t.db);
  await harmsNobody(async () => {
    const { status, body } = await t.call(importBackup, { query: { folder } }, net.admin);
    expect(body.message).toContain(saying);
    expect(status).toBe(422);
  });
  expect({ ...(await rowCounts(t.db)), network_work: 0 }).toEqual({ ...before, network_work: 0 });
  expect(await t.call(listBackups, {}, net.admin), 'the session lives on').toMatchObject({ status: 200 });
}

const changed = (is: (row: ForgedRow) => boolean, to: (row: ForgedRow) => ForgedRow) => (rows: ForgedRow[]) => {
  expect(rows.some(is)).toBe(true);
  return rows.map((row) => (is(row) ? { ...row, ...to(row) } : row));
};
const more = (of: string | undefined, by: number): string => String(BigInt(of!) + BigInt(by));
const isUser = ({ id }: ForgedRow): boolean => id === net.user._id;
const isCreditOf = (owner: string) => (wallet: ForgedRow) =>
  wallet['owner_id'] === owner && wallet['kind'] === String(WALLET_KINDS.credit);
const addedAccount = (rows: ForgedRow[], id: string): ForgedRow[] => {
  const user = rows.find(isUser)!;
  const chain = user['chain']!.replace(net.user._id, id);
  return [...rows, { ...user, id, chain, username: 'forged', unique_id: 'FORGED' }];
};

/** Crosses the boundary, by a transfer kind with a reference. */
async function pass5Points(reference: string, kind?: number): Promise<void> {
  const found: Record<'border' | 'credit', ForgedRow> = { border: {}, credit: {} };
  await forged.rows('wallets', (rows) => {
    found.border = rows.find(({ kind: of }) => of === String(WALLET_KINDS.boundary))!;
    found.credit = rows.find(isCreditOf(net.admin._id))!;
    return rows.map((row) => {
      const by = row === found.border ? -500 : row === found.credit ? 500 : undefined;
      if (by === undefined) return row;
      return { ...row, balance: more(row['balance'], by), version: more(row['version'], 1) };
    });
  });
  const { border, credit } = found;
  await forged.rows('transfers', (rows) => {
    const like = rows.find((row) => row['from_wallet'] === border['id'] && row['to_wallet'] === credit['id'])!;
    const transfer = {
      ...like,
      ...(kind !== undefined && { kind: String(kind), actor_id: '\\N' }),
      id: randomUUID(),
      reference,
      amount: '500',
      from_balance: more(border['balance'], -500),
      to_balance: more(credit['balance'], 500),
      from_version: more(border['version'], 1),
      to_version: more(credit['version'], 1),
    };
    return [...rows, transfer];
  });
}

const restoreRow = (id: string, amount: string, from: string, until: string): string =>
  `${['2026-03-10 10:00:00+00', '2026-03-10 10:00:00+00', amount, from, until, from, until, id, 'nobody'].join('\t')}\n`;

describe('refuses a forged backup and leaves nothing of it:', () => {
  const FORGERIES: [string, string, () => Promise<unknown>][] = [
    [
      "a wallet's balance",
      'its transfers come to',
      () =>
        forged.rows(
          'wallets',
          changed(isCreditOf(net.retailer._id), ({ balance }) => ({ balance: more(balance, 1) })),
        ),
    ],
    [
      "a wallet's protection version",
      'changes of its protection',
      () =>
        forged.rows(
          'wallets',
          changed(isCreditOf(net.user._id), () => ({ protection: '5' })),
        ),
    ],
    ['credit never given by the superadmin', 'the boundary wallets', () => pass5Points(randomUUID())],
    [
      'credit claimed as compensated by a restore',
      'the boundary wallets',
      async () => {
        const id = randomUUID();
        await pass5Points(id, TRANSFER_KINDS.restore);
        await forged.text('restores', (rows) => rows + restoreRow(id, '500', '0', '1'));
      },
    ],
    [
      'a restore that names future root actions',
      'names actions the root has not taken yet',
      () => forged.text('restores', (rows) => rows + restoreRow(randomUUID(), '0', '1000000', '1000000')),
    ],
    [
      "a draw's result",
      'The published result differs from the one',
      () =>
        forged.rows(
          'draws',
          changed(
            ({ status, source }) => status === 'settled' && source === 'generated',
            (draw) => ({ result: draw['result']!.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) }),
          ),
        ),
    ],
    [
      'an added ticket',
      "tickets.zst can't be read: duplicate key",
      () => forged.rows('tickets', (rows) => [...rows, { ...rows[0]!, id: randomUUID() }]),
    ],
    ['an unlogged account', 'is in no log', () => forged.rows('accounts', (rows) => addedAccount(rows, randomUUID()))],
    [
      'an account of another network',
      'accounts are not below its admin',
      () => forged.rows('accounts', (rows) => addedAccount(rows, bystander.user._id)),
    ],
    [
      'the superadmin as a player',
      'accounts are not below its admin',
      () => forged.rows('accounts', (rows) => addedAccount(rows, net.superadmin._id)),
    ],
    [
      'another network’s player',
      'accounts are not below its admin',
      () => forged.text('accounts', (rows) => rows.replaceAll(net.user._id, bystander.user._id)),
    ],
    [
      'a player visible to another network',
      'has the chain',
      () =>
        forged.rows(
          'accounts',
          changed(isUser, (row) => ({ chain: row['chain']!.replace(net.distributor._id, bystander.distributor._id) })),
        ),
    ],
    [
      'a player with the retailer role',
      'is not a user, as an account below its parent must be',
      () =>
        forged.rows(
          'accounts',
          changed(isUser, () => ({ role: 'retailer' })),
        ),
    ],
    [
      "an account's commission",
      'has a commission of 600 hundredths of a percent, but the log says 500',
      () =>
        forged.rows(
          'accounts',
          changed(
            ({ id }) => id === net.retailer._id,
            () => ({ commission: '600' }),
          ),
        ),
    ],
    [
      'a commission above the ceiling that the restore lowers',
      'has had the commission rates {9000,1750} by its history, and {500,1750} by the log',
      () =>
        forged.rows(
          'accounts',
          changed(
            ({ id }) => id === net.retailer._id,
            () => ({ commission: '9000' }),
          ),
        ),
    ],
    [
      'a duplicate username',
      'the same name or unique id',
      () =>
        forged.rows(
          'accounts',
          changed(isUser, () => ({ username: net.retailer.username.toUpperCase() })),
        ),
    ],
    [
      'a duplicate unique id',
      'the same name or unique id',
      () =>
        forged.rows('accounts', (rows) =>
          changed(isUser, () => ({ unique_id: rows.find((row) => !isUser(row))!['unique_id']! }))(rows),
        ),
    ],
    [
      'a win percentage',
      'the log says none',
      () => forged.rows('network_games', (rows) => rows.map((row) => ({ ...row, win_percentage: '12300' }))),
    ],
    [
      "another account's wallet",
      'wallets',
      () =>
        forged.rows('wallets', (rows) => [
          ...rows,
          {
            ...rows.find(isCreditOf(net.user._id))!,
            id: '900',
            balance: '0',
            version: '0',
            owner_id: bystander.user._id,
          },
        ]),
    ],
    [
      'a history gap without a clearing',
      'what was cleared, versions 1 to 1',
      () => forged.text('wallet_gaps', () => '1\t1\t0\t0\t0\t0\t2026-03-10 10:00:00+00\t2026-03-10 10:00:00+00\t1\n'),
    ],
    [
      'terms under another id',
      "draws.zst can't be read: insert or update",
      async () => {
        let old = '';
        const id = randomUUID();
        await forged.rows('draw_terms', ([first, ...rest]) => {
          old = first!['id']!;
          return [{ ...first!, id, unit_price: '7' }, ...rest];
        });
        await forged.text('draws', (rows) => rows.replaceAll(old, id));
      },
    ],
    [
      'an early end of COPY data',
      'the manifest says',
      () => forged.text('tickets', (rows) => rows.replace('\n', '\n\\.\n')),
    ],
    [
      'a NUL character',
      'invalid byte sequence',
      () => forged.text('accounts', (rows) => rows.replace(net.user.username, 'a\0b')),
    ],
    ['invalid UTF-8', 'invalid byte sequence', () => forged.put('accounts', Buffer.from([0xe9, 0xff, 0x0a]))],
    ['an unterminated row', 'it has an unterminated row', () => forged.put('accounts', Buffer.alloc(40e6, 'a'))],
    [
      'more rows than the manifest counts',
      'times.zst has 600000 rows, but the manifest says 1',
      async () => {
        await forged.put('times', `${randomUUID()}\t1\n`.repeat(600_000));
        await forged.rewrite((of) => ({
          ...of,
          files: of.files.map((one) => (one.table === 'times' ? { ...one, rows: 1 } : one)),
        }));
      },
    ],
    [
      "another server's root log",
      "the superadmins' actions before it do not match the log here",
      () => forged.rewrite((of) => ({ ...of, rootLog: { seq: '999999', hash: of.rootLog.hash } })),
    ],
    [
      'an invalid number',
      'manifest.json is not a backup manifest',
      () => forged.rewrite((of) => ({ ...of, rootLog: { seq: '9'.repeat(30), hash: null } })),
    ],
    [
      'a time that archives can’t represent',
      'manifest.json is not a backup manifest',
      () => forged.rewrite((of) => ({ ...of, takenAt: '0001-01-01T00:00:00.000Z' })),
    ],
    [
      'a checkpoint beyond the log',
      'manifest.json is not a backup manifest',
      () => forged.rewrite((of) => ({ ...of, checkpoint: 'a\0b' })),
    ],
    [
      'a manifest that is not text',
      'manifest.json is not a backup manifest',
      () => forged.rewrite((of) => ({ ...of, checkpoint: 'a\uD800b' })),
    ],
  ];
  it.each(FORGERIES)('%s', async (_name, saying, forge) => {
    await forge();
    await refused(saying);
  });
});

describe('data shared by all networks', () => {
  it('gets nothing from a backup, restored or tested', async () => {
    await forged.rows('draw_terms', (rows) => [...rows, { ...rows[0]!, id: randomUUID(), unit_price: '7' }]);
    await forged.rows('games', (rows) => [...rows, { ...rows[0]!, id: randomUUID(), game_key: 'forged' }]);
    await forged.text('images', (rows) => `${rows}\\\\x${'ab'.repeat(32)}\t\\\\x1234\n`);
    await harmsNobody(async () => {
      expect(await t.ok(drillBackup, { body: { folder } }, net.admin)).toMatchObject({ problems: [] });
      await t.ok(importBackup, { query: { folder } }, net.admin);
    });
  });

  it('stays as the superadmin set it', async () => {
    const [time] = await t.db.query<{ id: string }>(
      'select id from times where seconds <> 60 order by seconds limit 1',
    );
    await changeOfGame(t, { timeId: [time!.id] });
    await harmsNobody(async () => {
      expect(await t.ok(drillBackup, { body: { folder } }, net.admin)).toMatchObject({ problems: [] });
    });
  });
});

describe('the loss preview of a restore', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['is truncated', "accounts.zst can't be read", () => forged.cut('accounts')],
    ['lacks a file', 'draws.zst is missing', () => forged.remove('draws')],
    [
      'has other columns',
      'names no file of the table accounts',
      () =>
        forged.rewrite((of) => ({
          ...of,
          files: of.files.map((one) => (one.table === 'accounts' ? { ...one, columns: ['id'] } : one)),
        })),
    ],
    ['has a row without an end', 'it has an unterminated row', () => forged.put('accounts', Buffer.alloc(40e6, 'a'))],
    ['has malformed rows', 'it has an invalid row', () => forged.put('accounts', 'a\tb\n'.repeat(100_000))],
    [
      'has a NUL character',
      'it has an invalid row',
      () => forged.text('accounts', (rows) => rows.replace(net.user.username, 'a\0b')),
    ],
  ])('is refused for a backup that %s', async (_name, saying, forge) => {
    await forge();
    const { status, body } = await t.call(backupLosses, { query: { folder } }, net.admin);
    expect([status, body.message]).toEqual([422, expect.stringContaining(saying)]);
  });
});
