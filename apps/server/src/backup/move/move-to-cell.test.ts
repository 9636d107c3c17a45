import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toolsOf } from '../../../test/backups/move-tools.ts';
import type { Network, TestApp } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { raiseFence, readFences } from '../../activity/network-work/fences.ts';
import type { Fence } from '../../activity/network-work/fences.ts';
import { decideMove, planMove } from '../../cells/decide-move.ts';
import type { OpenDirectory } from '../../cells/directory.ts';
import { createSeedVault } from '../../draws/seed/seeds.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { moveToCell } from './move-to-cell.ts';
import type { MovingCell } from './move-to-cell.ts';
import { settleFences } from './settle-fences.ts';

const createRetailer = accountRoutes.retailer.create;
const RETAILER = { username: 'late-retailer', password: PASSWORD, commission: 0, note: 'n', role: 'retailer' } as const;

let group: TestGroup;
let first: Awaited<ReturnType<TestGroup['add']>>;
let second: typeof first;
let net: Network;
let folder: string;

beforeAll(async () => {
  group = await TestGroup.start();
  first = await group.add('cell-1');
  second = await group.add('cell-2');
  net = await first.network({ credit: 300 });
  await second.network();
  folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-moving-'));
});
afterAll(async () => {
  await group.close();
  await rm(folder, { recursive: true, force: true });
});

const sideOf = (t: TestApp & { directory: OpenDirectory }): MovingCell => {
  const { services, work, parts } = toolsOf(t);
  return { services, work, parts, directory: t.directory, vault: createSeedVault('5a'.repeat(32)) };
};

async function move(from: typeof first, to: typeof first): Promise<void> {
  const { admin } = net;
  const [{ id }] = (await from.db.query(`select id from networks where admin_id = $1`, [admin._id])) as [
    { id: number },
  ];
  const [actor] = await to.db.query(
    `select id, network_id as "networkId", username, 0 as login, username as "personName", role, chain
     from accounts where role = 'superadmin'`,
  );
  // Entries of one instant have no order.
  to.clock.set(new Date(Math.max(from.clock.now().getTime(), to.clock.now().getTime()) + 1));
  await moveToCell({
    from: sideOf(from),
    to: sideOf(to),
    network: { id, adminId: admin._id, username: admin.username },
    call: { actor: actor as never, origin: { ...NOWHERE, url: 'test' }, isOperator: true },
    by: 'test',
    folder,
    signal: new AbortController().signal,
  });
}

const fenceAt = async (t: TestApp): Promise<Fence> => {
  const [network] = await t.db.query<{ id: number }>(`select id from networks where admin_id = $1`, [net.admin._id]);
  return { networkId: network!.id, adminId: net.admin._id, moveId: randomUUID(), arrives: false, cell: 'cell-2' };
};

const planned = ({ adminId, moveId }: Fence) => ({ network: adminId, moveId, from: 'cell-1', to: 'cell-2' });

it('closes a network until the directory has decided, and opens it again if the command died before', async () => {
  const fence = await fenceAt(first);
  const { services, work } = toolsOf(first);
  expect(await planMove(first.directory.db, planned(fence))).toBe(true);
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
  expect(await planMove(first.directory.db, { ...other, to: 'cell-9' })).toBe(false);
  expect(await planMove(first.directory.db, planned(fence))).toBe(true);
  expect(await planMove(first.directory.db, other)).toBe(false);
  expect(await decideMove(first.directory.db, other)).toBe(false);
  expect(await first.directory.cancelMove(fence.adminId, fence.moveId)).toBe(true);
});

it('moves a network with its open draws', async () => {
  const { key } = await first.ok(makeApiKey, { body: { name: 'a program' } }, net.admin);
  expect((await first.bet(net.user, { 1: 5 })).status).toBe(201);
  await first.finishDraw();
  net.user = await first.signIn(net.user.username);
  const { body: open } = await first.bet(net.user, { 2: 7 });
  await move(first, second);
  expect(
    (await first.send('POST', '/api/app/bets', { token: key }, { bets: [] })).headers[CELL_HEADER.toLowerCase()],
  ).toBe('cell-2');
  await first.expectBooksToBalanceNow();
  await second.expectBooksToBalanceNow();
  net.user = await second.signIn(net.user.username);
  await second.bet(net.user, { 3: 1 });
  await second.finishDraw();
  const draws = await second.db.query(`select status from draws where id = $1`, [open.ticket.drawId]);
  expect(draws).toEqual([{ status: 'settled' }]);
  await second.expectBooksToBalanceNow();
});
