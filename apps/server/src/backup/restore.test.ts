import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import {
  backupLosses,
  deleteBackup,
  exportBackup,
  importBackup,
  listBackups,
  undoRestore,
} from '@drawhouse/contract/backup/backups';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { expectRestoreRefused } from '../../test/backups/expect-restore-refused.ts';
import { ForgedBackup } from '../../test/tampering/forge-backup.ts';
import { PASSWORD } from '../../test/test-password.ts';
import { TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { digestsOf } from '../../test/tampering/table-rows.ts';
import { MANIFEST } from './take/archive/manifest.ts';
import { publicKeyOf, signManifest } from './take/archive/sign-manifest.ts';

let t: TestApp;
let net: Network;
let bystander: Network;
let other: SignedIn;

beforeAll(async () => {
  t = await TestApp.start();
  ({ net, other } = await playNetwork(t, { confirmed: false }));
  bystander = await t.network({ credit: 70 });
  await t.bet(bystander.user, { 3: 4 });
});
afterAll(() => t.close());

const STAFF = ['superadmin', 'admin', 'superdistributor', 'distributor', 'retailer', 'user'] as const;

const backUp = async (): Promise<string> => (await t.ok(exportBackup, {}, net.admin)).folder;
const restore = (folder: string) => t.ok(importBackup, { query: { folder } }, net.admin);

async function signInAgain(): Promise<void> {
  for (const role of STAFF) Object.assign(net[role], await t.signIn(net[role].username));
  Object.assign(other, await t.signIn(other.username));
}

async function credits(): Promise<Record<string, number>> {
  const all: [string, number][] = [];
  for (const account of [...STAFF.map((role) => net[role]), other])
    all.push([account.username, await t.credit(account)]);
  return Object.fromEntries(all);
}

async function goOn(): Promise<SignedIn> {
  t.clock.advance(1_000);
  await t.bet(net.user, { 5: 3 });
  await t.finishDraw();
  await t.bet(other, { 5: 3 });
  const added = await t.create(net.retailer);
  await t.give(net.retailer, added, 2);
  await t.give(net.superadmin, net.admin, 40);
  const back = { toUserId: net.admin._id, adjustAmount: 15, password: PASSWORD };
  await t.ok(accountRoutes.admin.creditAdjust, { body: back }, net.superadmin);
  await t.give(net.superadmin, other, 7);
  return added;
}

describe('a restore is refused without changes', () => {
  let folder: string;
  let at: string;
  let forged: ForgedBackup;
  beforeEach(async () => {
    folder = await backUp();
    at = path.join(t.backupDir, net.admin._id, folder);
    forged = new ForgedBackup(at);
  });
  const refused = (saying: string): Promise<void> => expectRestoreRefused(t, net.admin, folder, saying);

  it('if a file was changed', async () => {
    const bytes = await readFile(forged.file('transfers.zst'));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(forged.file('transfers.zst'), bytes);
    await refused('transfers.zst');
  });

  it('for another network', async () => {
    const { folder: foreign } = await t.ok(exportBackup, {}, bystander.admin);
    await rm(at, { recursive: true });
    await cp(path.join(t.backupDir, bystander.admin._id, foreign), at, { recursive: true });
    await refused('it belongs to another network');
  });

  it('if edited on disk with matching checksums', async () => {
    const manifest = await forged.manifest();
    await writeFile(forged.file(MANIFEST), JSON.stringify({ ...manifest, by: 'somebody else' }));
    await refused('its manifest was changed after it was signed: the signature does not match');
  });

  it("if unsigned, naming the command's option", async () => {
    const { signature: _, ...unsigned } = await forged.manifest();
    await writeFile(forged.file(MANIFEST), JSON.stringify(unsigned));
    await refused(`npm run restore -- ${net.admin.username} ${folder} --yes --unsigned`);
  });

  it("if signed by another key, naming the command's option", async () => {
    const key = new Uint8Array(32).fill(8);
    await writeFile(forged.file(MANIFEST), JSON.stringify(signManifest(await forged.manifest(), key)));
    await refused(`npm run restore -- ${net.admin.username} ${folder} --yes --trust-key ${publicKeyOf(key)}`);
  });

  it('if two accounts swapped names since', async () => {
    const rename = (player: SignedIn, username: string) =>
      t.byHand('update accounts set username = $2 where id = $1', [player._id, username]);
    const [one, two] = [net.user, other];
    const names = [one.username, two.username] as const;
    await rename(one, 'between');
    await rename(two, names[0]);
    await rename(one, names[1]);
    const { namesTaken } = await t.ok(backupLosses, { query: { folder } }, net.admin);
    expect(namesTaken.map(({ username }) => username).toSorted()).toEqual(names.toSorted());
    const reply = await t.call(importBackup, { query: { folder } }, net.admin);
    expect(reply).toMatchObject({ status: 409, body: { code: 'USERNAME_TAKEN' } });
    for (const name of names) expect(reply.body.fields!['renames']).toContain(name);
    await rename(one, 'between');
    await rename(two, names[1]);
    await rename(one, names[0]);
  });
});

describe('a completed restore', () => {
  it('changes only its network, and its undo restores the previous state', async () => {
    const then = await credits();
    const folder = await backUp();
    const added = await goOn();
    const now = await credits();
    const elsewhere = await digestsOf(t.db, bystander.networkId);

    const losses = await t.ok(backupLosses, { query: { folder } }, net.admin);
    expect(losses).toMatchObject({
      lost: { tickets: 2, accounts: 1, transfers: 4 },
      openDraws: 1,
      kept: { payments: 0, weeks: 0 },
      namesTaken: [],
    });
    const { notes } = await restore(folder);
    expect(notes[0]).toBe('1 draw was open in the backup. It was voided, and its stakes refunded.');
    expect((await t.call(listBackups, {}, net.admin)).status).toBe(401);
    await signInAgain();
    expect(await credits()).toEqual({
      ...then,
      [net.superadmin.username]: now[net.superadmin.username]!,
      [net.user.username]: then[net.user.username]! + 10,
      [net.admin.username]: then[net.admin.username]! + 40 + 15 + 7,
    });
    expect((await t.call(login, { body: { username: added.username, password: PASSWORD } })).status).toBe(401);
    await t.expectBooksToBalance();
    expect(await digestsOf(t.db, bystander.networkId)).toEqual(elsewhere);
    expect((await t.ok(listNotices, {}, net.superadmin)).data).toContainEqual(
      expect.objectContaining({
        code: 'NETWORK_RESTORED',
        admin: net.admin.username,
        about: expect.stringMatching(/^Restored backup ".+" of \d+ \w+ \d{4} at \d\d:\d\d \(.+\)$/),
        detail: 'Tickets undone: 2. Transfers undone: 4. Accounts undone: 1.',
      }),
    );

    await t.app.tick();
    expect((await t.bet(net.user, { 1: 1 })).status).toBe(201);
    await t.finishDraw();
    await t.give(net.superadmin, net.admin, 3);
    await t.expectBooksToBalance();

    const { undoUntil } = await t.ok(listBackups, {}, net.admin);
    expect(undoUntil).not.toBeNull();
    await t.ok(undoRestore, { body: {} }, net.admin);
    await signInAgain();
    expect(await t.ok(listBackups, {}, net.admin)).toMatchObject({ undoUntil: null, canTransfer: false });
    const evidence = (await t.ok(listBackups, {}, net.admin)).backups.filter(({ isEvidence }) => isEvidence);
    expect(evidence.map(({ by }) => by)).toEqual(Array(2).fill(`${net.admin.username}, before a restore`));
    for (const { name } of evidence)
      expect((await t.call(deleteBackup, { query: { folder: name } }, net.admin)).body.code).toBe('RULE_REFUSED');
    await t.signIn(added.username);
    expect(await credits()).toEqual({
      ...now,
      [net.superadmin.username]: now[net.superadmin.username]! - 3,
      [net.admin.username]: now[net.admin.username]! + 3,
      [other.username]: now[other.username]! + 3,
    });
    await t.expectBooksToBalance();
    await t.app.tick();
    await t.bet(other, { 1: 1 });
    await t.finishDraw();
    await t.expectBooksToBalance();
  });
});
