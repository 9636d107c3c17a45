import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { inviteAccount, readInvitation } from '@drawhouse/contract/auth/invitations';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { toolsOf } from '../../../test/backups/move-tools.ts';
import type { Network, TestApp } from '../../../test/harness.ts';
import { makeKey, uniqueIdOf } from '../../../test/clients/program-keys.ts';
import { hangingAfter } from '../../../test/processes/dying-database.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { advanceAll, Bettor, type CellApp, moveBetween, openCell } from '../../../test/worlds/cell-moves.ts';
import { seedKeyOf, TestGroup } from '../../../test/worlds/cells.ts';
import { makeSealsPlace, sealAll } from '../../../test/worlds/sealed-app.ts';
import { raiseFence, readFences, type Fence } from '../../activity/network-work/fences.ts';
import { boundTo, resealFactors } from '../../auth/factors/check-factor.ts';
import { createFactorVault } from '../../auth/factors/factor-vault.ts';
import { decideMove, planMove } from '../../cells/decide-move.ts';
import { PATIENT_MS } from '../../cells/call-cell.ts';
import { compareMovedLogs } from '../../commands/compare-moved-logs.ts';
import { audit } from '../../commands/run-group.ts';
import type { Config } from '../../config/config.ts';
import { findReplicationFaults } from './check-replication.ts';
import { replicatedTables } from './replicate-network.ts';
import { fenceOutdated, holdNetworks, openHeld, settleFences } from './settle-fences.ts';

const createRetailer = accountRoutes.retailer.create;
const RETAILER = { username: 'late-retailer', password: PASSWORD, commission: 0, note: 'n', role: 'retailer' } as const;

const SEAL_KEY = newPrivateKey();

let group: TestGroup;
let first: Awaited<ReturnType<TestGroup['add']>>;
let second: typeof first;
let net: Network;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;

beforeAll(async () => {
  group = await TestGroup.start();
  place = { ...(await makeSealsPlace()), signer: signerOf(SEAL_KEY) };
  const served = { place, witnesses: [] };
  first = await group.add('cell-1', {
    seals: () => ({ served, newest: () => undefined, grade: () => Promise.resolve(null) }),
  });
  second = await group.add('cell-2');
  net = await first.network({ credit: 100_000 });
  // As of an imported network: the directory does not count its earlier stays.
  await placeIn('cell-1', 0);
  await second.network();
});
afterAll(async () => {
  await group.close();
  await place.remove();
});

const fenceAt = async (t: TestApp): Promise<Fence> => {
  const [network] = await t.db.query<{ id: number }>(`select id from networks where admin_id = $1`, [net.admin._id]);
  return { networkId: network!.id, adminId: net.admin._id, moveId: randomUUID(), arrives: false, cell: 'cell-2' };
};

const placeIn = (cell: string, generation: number) =>
  first.directory.db.query('update places set cell = $1, generation = $2 where network = $3', [
    cell,
    generation,
    net.admin._id,
  ]);

const planned = ({ adminId, moveId }: Fence) => ({ network: adminId, moveId, from: 'cell-1', to: 'cell-2' });

it('closes a network until the directory has decided, and opens it again if the command died before', async () => {
  const fence = await fenceAt(first);
  const { services, work } = toolsOf(first);
  expect(await planMove(first.directory.db, planned(fence), 1)).toBe(true);
  await services.db.transaction((tx) => raiseFence(tx, fence, services.clock.now()));
  expect((await first.bet(net.user, { 1: 1 })).body).toMatchObject({ code: 'NETWORK_RESTORING' });
  expect(await first.call(createRetailer, { body: RETAILER }, net.distributor)).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', message: expect.stringContaining('is moving to another server') as string },
  });
  await group.setAway(true);
  await expect(settleFences(services, work)).rejects.toMatchObject({ code: 'NOT_READY' });
  await group.setAway(false);
  expect(await readFences(first.db)).toHaveLength(1);
  await settleFences(services, work);
  expect(await readFences(first.db)).toEqual([]);
  expect(await decideMove(first.directory.db, planned(fence)), 'a command that comes back').toBe(false);
  expect((await first.bet(net.user, { 1: 1 })).status).toBe(201);
});

it('refuses a second move and one to an unknown cell', async () => {
  const fence = await fenceAt(first);
  const other = { ...planned(fence), moveId: randomUUID() };
  expect(await planMove(first.directory.db, { ...other, to: 'cell-9' }, 1)).toBe(false);
  expect(await planMove(first.directory.db, planned(fence), 1)).toBe(true);
  expect(await planMove(first.directory.db, other, 1)).toBe(false);
  expect(await decideMove(first.directory.db, other)).toBe(false);
  expect(await first.directory.cancelMove(fence.adminId, fence.moveId)).toBe(true);
});

it('replicates only tables with a key that names the network', async () => {
  const keyed = await first.db.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'network_id'`,
  );
  const names = new Set(keyed.map(({ name }) => name));
  expect([...replicatedTables(), 'fences'].filter((table) => !names.has(table))).toEqual([]);
});

it('seals the secrets of second factors again for the new cell', async () => {
  const [there, here] = [createFactorVault(seedKeyOf('cell-1')), createFactorVault(seedKeyOf('cell-2'))];
  const bound = boundTo({ id: net.user._id, login: 0 });
  await first.db.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `insert into factors (network_id, account_id, number, made_at, kind, name, secret) values ($1, $2, 1, now(), 'app', 'Phone', $3)`,
      [net.networkId, net.user._id, there.seal('an app', bound)],
    );
    await resealFactors(tx, net.networkId, there, here);
    const [factor] = await tx.query<{ secret: Buffer }>('delete from factors returning secret');
    expect(here.open(factor!.secret, bound)).toBe('an app');
  });
});

it('moves nothing if the trial audit finds a problem', async () => {
  const finding = 'A draw of the copy is unsound.';
  await expect(moveBetween(first, second, net.admin, { finding })).rejects.toMatchObject({
    code: 'RULE_REFUSED',
    message: expect.stringContaining(
      `The trial audit in cell-2 found a problem, so nothing was moved: ${finding}`,
    ) as string,
  });
  expect((await first.bet(net.user, { 1: 1 })).status).toBe(201);
  expect(await first.directory.placeOf(net.admin._id)).toMatchObject({ cell: 'cell-1', moveId: null });
  expect(await second.db.query('select from staged_networks')).toEqual([]);
});

it('refuses at once if the PostgreSQL of a cell can’t replicate, and says how to mend it', async () => {
  const role = new URL(first.database.serverUrl).username;
  expect(await findReplicationFaults(first.database.ownerUrl)).toEqual([]);
  const faults = await findReplicationFaults(first.database.serverUrl);
  expect(faults.map(({ todo }) => todo)).toEqual([
    `As its superuser, run: alter role ${role} replication`,
    `As its superuser, run: grant pg_create_subscription to ${role}`,
  ]);
  const ownerUrlOf = (cell: CellApp) => (cell === second ? cell.database.serverUrl : cell.database.ownerUrl);
  await expect(moveBetween(first, second, net.admin, { ownerUrlOf, finding: 'an audit ran' })).rejects.toMatchObject({
    code: 'RULE_REFUSED',
    message: `cell-2 is not ready for moves, so nothing was moved. ${faults[0]!.says} ${faults[0]!.todo}`,
  });
  expect(await first.directory.placeOf(net.admin._id)).toMatchObject({ cell: 'cell-1', moveId: null });
});

it('opens the network again if the new cell hangs while it is closed', async () => {
  const said: string[] = [];
  const hanging = hangingAfter(second.app.services.db, /delete from fences/);
  const moving = moveBetween(first, second, net.admin, {
    through: (db) => (db === second.app.services.db ? hanging : db),
    watch: {
      everyMs: 10,
      get silentMs() {
        return hanging.hangs ? 2_000 : Infinity;
      },
      say: (sentence) => said.push(sentence),
    },
  });
  await expect(moving).rejects.toMatchObject({
    code: 'NOT_READY',
    message: expect.stringContaining('cell-2 does not answer, so the move ended (Closed: Exchanging)') as string,
  });
  expect(said).toContain('cell-2 does not answer. The move waits (Closed: Exchanging).');
  expect(await openCell([first, second], net.admin)).toBe(first);
  expect((await first.bet(net.user, { 1: 1 })).status).toBe(201);
});

it('moves a network with its open draws under bets', async () => {
  const { key } = await makeKey(first, net.admin);
  expect((await first.bet(net.user, { 1: 5 })).status).toBe(201);
  await first.finishDraw();
  net.user = await first.signIn(net.user.username);
  const { body: open } = await first.bet(net.user, { 2: 7 });
  const { invitation } = await first.ok(inviteAccount, { params: { accountId: net.retailer._id } }, net.admin);
  await advanceAll([first, second], 1);
  const player = await uniqueIdOf(first, net.user);
  const bettor = new Bettor([first, second], { key, player, gameId: 'funtargetbingo' });
  await sealAll(first, place);
  await moveBetween(first, second, net.admin);
  const taken = await bettor.end();
  const kept = await second.db.query<{ id: string }>('select id from tickets where id = any($1::uuid[])', [taken]);
  expect(taken.length).toBeGreaterThan(0);
  expect(kept.length, 'each taken bet is there').toBe(taken.length);
  expect(
    (await first.send('POST', '/api/app/bets', { token: key }, { bets: [] })).headers[CELL_HEADER.toLowerCase()],
  ).toBe('cell-2');
  expect(await first.call(readInvitation, { body: { invitation } })).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('the account has moved to another server') as string },
  });
  await first.expectBooksToBalanceNow();
  await second.expectBooksToBalanceNow();
  net.user = await second.signIn(net.user.username);
  await second.bet(net.user, { 3: 1 });
  await second.finishDraw();
  const draws = await second.db.query(`select status from draws where id = $1`, [open.ticket.drawId]);
  expect(draws).toEqual([{ status: 'settled' }]);
  await second.expectBooksToBalanceNow();
});

/** Exit code or failure, and lines after the sums. */
async function auditGroup({ app, directory }: CellApp, peers = directory.peers): Promise<(number | string)[]> {
  vi.setSystemTime(first.clock.now());
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    const wish = { what: 'audit', subject: '' } as const;
    const sealKey = Buffer.from(SEAL_KEY).toString('hex');
    const config = { sealDir: place.dir, sealKey, sealName: place.name, sealWitnesses: [] } as object as Config;
    const end = await audit({ ...directory, peers }, app.services.db, wish, config).catch(
      (error: Error) => error.message,
    );
    const [issued, , ...lines] = log.mock.calls.flat() as string[];
    expect(issued).toMatch(/^Issued: /);
    return [end, ...lines];
  } finally {
    log.mockRestore();
    vi.useRealTimers();
  }
}

it('asks the earlier cell for its seals when the group is audited', async () => {
  await group.connectCells();
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  for (const cell of [first, second]) expect(await auditGroup(cell)).toEqual([0, 'The books of all cells agree.']);
  expect(timeout).toHaveBeenCalledWith(PATIENT_MS);
  timeout.mockRestore();
  await rename(place.dir, `${place.dir}-away`);
  const left = `when the network of ${net.admin.username} left`;
  expect(await auditGroup(second)).toEqual([
    1,
    expect.stringContaining(`Problem: the seals of cell-1 can't be read, or no longer have what they had ${left}`),
  ]);
  await rename(`${place.dir}-away`, place.dir);
  const { signer } = place;
  Object.assign(place, { signer: signerOf(newPrivateKey()) });
  expect(await auditGroup(second)).toEqual([
    1,
    expect.stringContaining(`Problem: cell-1 no longer has the seal key or name that it had ${left}`),
  ]);
  Object.assign(place, { signer });
  expect(await auditGroup(second, () => Promise.resolve([]))).toEqual([
    0,
    'Not compared: the seals of cell-1, which is not in the group.',
    'The books of all cells agree.',
  ]);
  const lost = vi
    .fn(second.directory.peers)
    .mockImplementationOnce(second.directory.peers)
    .mockRejectedValue(new Error('It is down.'));
  expect(await auditGroup(second, lost)).toEqual(['It is down.']);
});

it('asks no cell for seals that it did not have', async () => {
  const parts = { directory: first.directory, db: first.app.services.db };
  const arrival = { id: randomUUID(), username: net.admin.username, from: 'cell-9', checkpoint: null };
  expect(await compareMovedLogs(parts, {} as Config, () => Promise.resolve([arrival]))).toEqual({
    problems: [],
    absent: [],
  });
});

it('opens networks of a restored cell once the others have listed theirs', async () => {
  const { services, work } = toolsOf(first);
  const cell = { ...services, directory: first.directory };
  const other = await first.network();
  const placed = { network: net.admin._id, cell: 'cell-2', generation: 2 };
  expect(
    await first.directory.db.query('select network, cell, generation from places where network = $1', [net.admin._id]),
  ).toEqual([placed]);
  await placeIn('cell-1', 1);
  await holdNetworks(cell);
  await settleFences(services, work);
  expect((await first.bet(other.user, { 1: 1 })).body).toMatchObject({ code: 'NETWORK_RESTORING' });
  await second.directory.answer(second.db);
  await settleFences(services, work);
  expect((await first.bet(other.user, { 1: 1 })).status).toBe(201);
  expect(await first.directory.placeOf(net.admin._id)).toMatchObject({ cell: 'cell-2', generation: 2 });
  await holdNetworks(cell);
  expect(await openHeld(cell)).toEqual(['cell-2']);
  expect((await first.bet(other.user, { 1: 1 })).status).toBe(201);
});

it('corrects a directory that was restored to a moment before a move, and keeps the network', async () => {
  const { services, work } = toolsOf(second);
  const fenceMoved = async (): Promise<void> => {
    const fence = { ...(await fenceAt(second)), cell: 'cell-1' };
    await second.db.transaction((tx) => raiseFence(tx, fence, services.clock.now()));
  };
  for (const fenced of [
    () => Promise.resolve(),
    fenceMoved,
    () => holdNetworks({ ...services, directory: second.directory }),
  ]) {
    await placeIn('cell-1', 1);
    await fenced();
    const fences = await readFences(second.db);
    await fenceOutdated(services);
    await settleFences(services, work);
    expect(await readFences(second.db), 'before the other cell has answered').toEqual(fences);
    await first.directory.answer(first.db);
    await settleFences(services, work);
    expect(await readFences(second.db)).toEqual([]);
    expect(await second.db.query('select from accounts where id = $1', [net.admin._id])).toHaveLength(1);
    expect(await first.directory.placeOf(net.admin._id)).toMatchObject({ cell: 'cell-2', generation: 2 });
  }
});

it('fences a network that the directory knows in another cell, until it leaves', async () => {
  const { services, work } = toolsOf(first);
  const other = await first.network();
  await first.directory.db.query(`update places set cell = 'cell-2' where network = $1`, [other.admin._id]);
  await fenceOutdated(services);
  expect((await first.bet(other.user, { 1: 1 })).body).toMatchObject({ code: 'NETWORK_RESTORING' });
  await settleFences(services, work);
  expect(await first.db.query('select from accounts where id = $1', [other.admin._id])).toEqual([]);
});
