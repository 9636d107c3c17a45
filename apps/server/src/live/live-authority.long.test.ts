import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { LiveClient } from '../../test/clients/live-client.ts';
import { moveAdmin, secondSuperadmin } from '../../test/worlds/second-superadmin.ts';

const GAME = 'funtargetbingo';
const OTHER_GAME = 'fruit12';

let t: TestApp;
let url: string;
let net: Network;
/** Becomes the admin's superadmin when it moves. */
let second: SignedIn;
const open: LiveClient[] = [];

beforeAll(async () => {
  t = await TestApp.start();
  url = await listen(t.app);
  second = await secondSuperadmin(t);
});
beforeEach(async () => {
  net = await t.network({ credit: 1000, games: [GAME, OTHER_GAME] });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const { socket } of open.splice(0)) socket.disconnect();
});
afterAll(() => t.close());

function watcher({ token }: SignedIn, adminId: string, gameId: string = GAME): LiveClient {
  const made = new LiveClient(url, token).open(adminId, gameId);
  open.push(made);
  return made;
}

describe('a superadmin who loses an admin', () => {
  it('eventually leaves its room even if the server missed the news', async () => {
    const clients = [watcher(net.superadmin, net.admin._id), watcher(net.admin, net.admin._id)];
    await expect.poll(() => clients.every(({ panel }) => panel !== null)).toBeTruthy();
    await moveAdmin(t, net.admin._id, second._id);
    await expect.poll(() => clients.map(({ refusals }) => refusals)).toEqual([['NOT_FOUND'], []]);
  });
});
