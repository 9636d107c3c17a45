import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen, TestApp, type Network, type SignedIn } from '../../test/harness.ts';
import { statementOf } from '../../test/statements/statement-of.ts';
import { LiveClient } from '../../test/clients/live-client.ts';
import { moveAdmin, secondSuperadmin } from '../../test/worlds/second-superadmin.ts';

const GAME = 'funtargetbingo';
const OTHER_GAME = 'fruit12';

let t: TestApp;
let url: string;
let net: Network;
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

async function move(): Promise<void> {
  await moveAdmin(t, net.admin._id, second._id);
  t.app.services.events.emit('accountMoved', { accountId: net.admin._id });
}

describe('a superadmin losing an admin', () => {
  it("leaves its room, whatever spelling of the admin's id was used", async () => {
    const before = [net.admin._id, net.admin._id.toUpperCase()].map((id) => watcher(net.superadmin, id));
    await expect.poll(() => before.every(({ panel }) => panel !== null)).toBeTruthy();
    await move();
    await expect.poll(() => before.map(({ refusals }) => refusals)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  });

  it('enters no room requested just before', async () => {
    const [late, admin] = [watcher(net.superadmin, net.admin._id, OTHER_GAME), watcher(net.admin, net.admin._id)];
    await expect.poll(() => late.panel && admin.panel).toBeTruthy();
    const query = t.served.query.bind(t.served);
    let moved = false;
    vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
      const { name, values } = statementOf(...statement);
      const rows = await query<never>(...statement);
      if (name === 'pair-operated' && values.includes(net.superadmin._id) && !moved) {
        moved = true;
        await move();
        await expect.poll(() => late.refusals.length > 0).toBeTruthy();
      }
      return rows;
    });
    late.open(net.admin._id, GAME);
    await expect.poll(() => late.refusals).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    await t.bet(net.user, { 1: 4 });
    await expect.poll(() => admin.panel!.totalsumdata === 4).toBeTruthy();
    expect(late.panel).toBeNull();
  });

  it('enters no room being read during the move', async () => {
    const [late, admin] = [watcher(net.superadmin, net.admin._id, OTHER_GAME), watcher(net.admin, net.admin._id)];
    await expect.poll(() => late.panel && admin.panel).toBeTruthy();
    const query = t.served.query.bind(t.served);
    const steps: string[] = [];
    vi.spyOn(t.served, 'query').mockImplementation(async (...statement) => {
      const { name, values } = statementOf(...statement);
      const rows = await query<never>(...statement);
      if (name === 'pair-own' && values.includes(GAME) && steps.length === 0) {
        steps.push('judged');
        late.open(net.admin._id, GAME);
        await expect.poll(() => steps.includes('entered')).toBeTruthy();
      }
      if (name === 'pair-operated' && values.includes(net.superadmin._id) && steps.length === 1) {
        await move();
        await expect.poll(() => late.refusals.length > 0).toBeTruthy();
        steps.push('entered');
      }
      return rows;
    });
    await t.bet(net.user, { 1: 4 });
    await expect.poll(() => late.refusals).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    await expect.poll(() => admin.panel!.totalsumdata === 4).toBeTruthy();
    expect(late.panel).toBeNull();
  });

  it('stays in the rooms of its other admins', async () => {
    const other = await t.network({ credit: 10, games: [GAME] });
    const [one, left] = [watcher(net.superadmin, other.admin._id), watcher(net.superadmin, net.admin._id)];
    await expect.poll(() => one.panel && left.panel).toBeTruthy();
    await move();
    await expect.poll(() => left.refusals).toEqual(['NOT_FOUND']);
    await t.bet(other.user, { 1: 4 });
    await expect.poll(() => one.panel?.totalsumdata === 4).toBeTruthy();
    expect(one.refusals).toEqual([]);
  });
});
