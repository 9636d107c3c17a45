import { ownerOf } from '../../accounts/authority.ts';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import { downloadBackup, importBackup as restoreBackup } from '@drawhouse/contract/backup/backups';
import { login } from '@drawhouse/contract/auth/auth';
import { generateIdentity } from 'age-encryption';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TestApp, type Network, type SignedIn } from '../../../test/harness.ts';
import { activate, backUp, importBackup, otherInstallation, toolsOf } from '../../../test/backups/move-tools.ts';
import { addAppFactor } from '../../../test/clients/app-factor.ts';
import { makeKey } from '../../../test/clients/program-keys.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { TEST_SEAL_KEY } from '../../../test/test-seal-key.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { findBackup, foldersOf, type CompleteBackup } from '../keep/backup-folders.ts';
import { createRestoring } from '../restore/create-restoring.ts';
import type { ResetSlip } from '../restore/issue-reset-slips.ts';
import { MANIFEST, manifestText } from './archive/manifest.ts';
import { isSignatureValid, publicKeyOf } from './archive/sign-manifest.ts';
import { openArchive } from '../load/unpack-archive.ts';
import { verifyBackup } from '../keep/verify-backup.ts';

const NEVER = new AbortController().signal;

let t: TestApp;
let net: Network;
let dir: string;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 100 });
  await makeKey(t, net.admin);
  await addAppFactor(t, net.superdistributor);
  dir = await mkdtemp(path.join(tmpdir(), 'without-secrets-'));
});
afterAll(async () => {
  await t.close();
  await rm(dir, { recursive: true });
});

async function download({ name }: CompleteBackup, from = t, admin = net.admin): Promise<string> {
  const { token, elevation } = await from.signIn(admin.username);
  const reply = await from.app.http.inject({
    url: `/api/${downloadBackup.path}?folder=${name}`,
    headers: { authorization: `Bearer ${token}`, elevation },
  });
  const file = path.join(dir, `${name}.zip`);
  await writeFile(file, reply.rawPayload);
  return file;
}

async function unpackInPlace(file: string, to: TestApp, { folder }: CompleteBackup): Promise<CompleteBackup> {
  await rm(folder, { recursive: true });
  const into = foldersOf(to.backupDir, net.admin._id);
  const unpacked = await openArchive(file, (archive) => archive.unpack(into, NEVER));
  return (await findBackup(to.backupDir, net.admin._id, path.basename(unpacked))) as CompleteBackup;
}

const rowsOf = ({ folder }: CompleteBackup, table: string): Promise<string> =>
  text(createReadStream(path.join(folder, `${table}.zst`)).pipe(createZstdDecompress()));

const statusOf = async (on: TestApp, username: string, password: string): Promise<number> =>
  (await on.call(login, { body: { username, password } }, { ip: '10.7.7.7' })).status;

function restoreByOperator(backup: CompleteBackup): Promise<readonly ResetSlip[]> {
  const { parts, work } = toolsOf(t);
  const { _id: id, username } = net.admin;
  const { networkId } = net;
  return work.run({ adminId: id, kind: 'restore', by: 'npm run restore', closes: networkId }, async (given) => {
    const [{ chain, network } = { chain: [], network: 0 }] = await t.db.query<{ chain: string[]; network: number }>(
      'select chain, network_id as network from accounts where id = $1',
      [id],
    );
    const actor = ownerOf({ id, networkId: network, username, role: 'admin', chain });
    const call = { actor, origin: NOWHERE, isOperator: true };
    return (await createRestoring(parts).restore({ call, backup, renames: {} }, given)).slips;
  });
}

it('omits password and key hashes from a download with a valid signature', async () => {
  const backup = await backUp(t, net.admin);
  const [hash] = await t.db.query<{ hash: string }>(
    "select encode(key_hash, 'hex') as hash from api_keys where network_id = $1",
    [net.networkId],
  );
  expect(await rowsOf(backup, 'accounts')).toContain('$argon2id$');
  expect(await rowsOf(backup, 'api_keys')).toContain(hash!.hash);
  const rows = await rowsOf(backup, 'accounts');
  expect(await rowsOf(backup, 'factors')).toMatch(/\t\\\\x[0-9a-f]{80,}/);
  const unpacked = await unpackInPlace(await download(backup), t, backup);
  const without = await rowsOf(unpacked, 'accounts');
  expect(without).not.toContain('$argon2id$');
  expect(without).toBe(rows.replaceAll(/\$argon2id\$[^\t]*/g, ''));
  expect(await rowsOf(unpacked, 'api_keys')).not.toContain(hash!.hash);
  expect(await rowsOf(unpacked, 'factors')).toMatch(/^.*\tPhone\t\\N(\t|\n)/);
  const { isWithoutSecrets, signature } = unpacked.manifest;
  expect([isWithoutSecrets, isSignatureValid(unpacked.manifest), signature?.key]).toEqual([
    true,
    true,
    publicKeyOf(TEST_SEAL_KEY),
  ]);
  expect((await verifyBackup(unpacked.folder)).problems).toEqual([]);
});

it('keeps them in an encrypted backup', async () => {
  const key = await generateIdentity();
  const secondServer = await t.beside({ backupKey: key });
  const backup = await backUp(secondServer, net.admin);
  const content = await readFile(path.join(backup.folder, 'accounts.zst.age'));
  const unpacked = await unpackInPlace(await download(backup, secondServer), secondServer, backup);
  expect(unpacked.manifest).toEqual(backup.manifest);
  expect((await readFile(path.join(unpacked.folder, 'accounts.zst.age'))).equals(content)).toBe(true);
  await secondServer.close();
});

it('signs nothing changed on disk', async () => {
  const backup = await backUp(t, net.admin);
  await writeFile(path.join(backup.folder, MANIFEST), manifestText({ ...backup.manifest, by: 'somebody else' }));
  await expect(openArchive(await download(backup), async () => undefined)).rejects.toThrow('is not a backup archive');
  await rm(backup.folder, { recursive: true });
});

it('keeps live passwords and keys, and issues slips for accounts no longer here', async () => {
  const before = await backUp(t, net.admin);
  t.clock.advance(1_000);
  const player = await t.make(net.retailer);
  const backup = await backUp(t, await t.signIn(net.admin.username));
  const stripped = await unpackInPlace(await download(backup), t, backup);
  const keys = () =>
    t.db.query('select key_hash from api_keys k join networks n on n.id = k.network_id where n.admin_id = $1', [
      net.admin._id,
    ]);
  const known = await keys();
  const restore = async ({ name }: CompleteBackup) =>
    t.call(restoreBackup, { query: { folder: name } }, await t.signIn(net.admin.username));
  expect((await restore(before)).status).toBe(200);
  expect(await statusOf(t, player.username, PASSWORD)).toBe(401);
  const body = { username: net.superdistributor.username, password: PASSWORD };
  expect((await t.call(login, { body })).body.code).toBe('SECOND_FACTOR');

  expect(await restore(stripped)).toMatchObject({
    status: 422,
    body: { code: 'RULE_REFUSED', message: expect.stringContaining('gets a reset slip for each: npm run restore') },
  });
  const slips = await restoreByOperator(stripped);
  expect(slips).toEqual([{ username: player.username, password: expect.stringMatching(/^\w{4}(-\w{4}){3}$/) }]);
  expect(await statusOf(t, player.username, PASSWORD)).toBe(401);
  expect(await statusOf(t, player.username, slips[0]!.password)).toBe(200);
  expect(await statusOf(t, net.retailer.username, PASSWORD)).toBe(200);
  expect(await keys()).toEqual(known);
  const logRows = await t.db.query<{ all: string }>('select json_agg(a)::text as all from activity a');
  expect(logRows[0]!.all).toContain(`Gave user ${player.username} a temporary password, for a reset slip`);
  expect(logRows[0]!.all).not.toContain(slips[0]!.password);
  expect((await restore(stripped)).status).toBe(200);
  expect(await statusOf(t, player.username, slips[0]!.password)).toBe(200);
  await t.expectBooksToBalanceNow();
});

it('issues slips for all accounts of a moved network and ends its keys', async () => {
  const here = await otherInstallation();
  const backup = await backUp(t, await t.signIn(net.admin.username));
  const stripped = await unpackInPlace(await download(backup), t, backup);
  here.clock.set(new Date(t.clock.now().getTime() + 1_000));
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  await importBackup(here, stripped);
  log.mockRestore();
  await activate(here, net.admin);
  const slip = (username: string): string => new RegExp(`^ *${username} +(\\S+)$`, 'm').exec(lines.join('\n'))![1]!;
  for (const { username } of [net.admin, net.retailer, net.user] satisfies Pick<SignedIn, 'username'>[]) {
    expect(await statusOf(here, username, PASSWORD)).toBe(401);
    expect(await statusOf(here, username, slip(username))).toBe(200);
  }
  const usable = await here.db.query('select from api_keys where ended_at is null');
  expect(usable).toEqual([]);
  await here.expectBooksToBalanceNow();
  await here.close();
});
