import { randomUUID } from 'node:crypto';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { login, session } from '@drawhouse/contract/auth/auth';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { liftFence, raiseFence } from '../activity/network-work/fences.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../../test/test-password.ts';
import { TestGroup } from '../../test/worlds/cells.ts';
import type { Network, TestApp } from '../../test/harness.ts';

let group: TestGroup;
let first: TestApp;
let second: TestApp;
let here: Network;
let there: Network;

beforeAll(async () => {
  ({ group, first, second, here, there } = await TestGroup.startTwo());
});
afterAll(() => group.close());

const toSecond = {
  status: 421,
  headers: { [CELL_HEADER.toLowerCase()]: 'cell-2' },
  body: { code: 'OTHER_CELL', cell: 'cell-2' },
};

const signIn = (t: TestApp, username: string) => t.call(login, { body: { username, password: PASSWORD } });

it('sends a sign-in to the cell of its name', async () => {
  expect(await signIn(first, there.user.username.toUpperCase())).toMatchObject(toSecond);
  expect(await signIn(second, there.user.username)).toMatchObject({
    status: 200,
    body: { token: expect.stringMatching(/^cell-2\.[\w-]{43}$/) as string },
  });
});

it('answers unknown names as if some were in other cells', async () => {
  const names = Array.from({ length: 30 }, (_, nth) => `stranger-${nth}`);
  const codes = async (t: TestApp): Promise<unknown[]> =>
    Promise.all(
      names.map(
        async (name) =>
          (
            await t.call(
              login,
              { body: { username: name, password: PASSWORD } },
              { ip: `10.0.0.${names.indexOf(name)}` },
            )
          ).body.code,
      ),
    );
  const [one, again, other] = [await codes(first), await codes(first), await codes(second)];
  expect(new Set(one)).toEqual(new Set(['WRONG_CREDENTIALS', 'OTHER_CELL']));
  expect(again).toEqual(one);
  // Only the cell of a name judges its password.
  expect(other).toEqual(one.map((code) => (code === 'OTHER_CELL' ? 'WRONG_CREDENTIALS' : 'OTHER_CELL')));
});

it('sends a session to its cell, and does not end it', async () => {
  const { token } = await second.signIn(there.user.username);
  expect(await first.call(session, {}, { token })).toMatchObject(toSecond);
  expect(await first.call(session, {}, { token: `cell-1.${token.slice(7)}` })).toMatchObject({ status: 401 });
  expect((await second.call(session, {}, { token })).status).toBe(200);
});

it('sends an API key to the cell of its network', async () => {
  const { key } = await second.ok(makeApiKey, { body: { name: 'a program' } }, there.admin);
  const bet = (t: TestApp) => t.send('POST', '/api/app/bets', { token: key }, { bets: [] });
  expect(await bet(first)).toMatchObject(toSecond);
  expect((await bet(second)).status).not.toBe(421);
});

it('lets a program wait while its network arrives', async () => {
  const { key } = await second.ok(makeApiKey, { body: { name: 'an early program' } }, there.admin);
  const bet = () => second.send('POST', '/api/app/bets', { token: key }, { bets: [] });
  const fence = {
    networkId: there.networkId,
    adminId: there.admin._id,
    moveId: randomUUID(),
    arrives: true,
    cell: 'cell-1',
  };
  await second.db.transaction((tx) => raiseFence(tx, fence, second.clock.now()));
  await second.byHand(`update accounts set active = false where id = '${there.admin._id}'`);
  expect(await bet()).toMatchObject({ body: { code: 'NETWORK_RESTORING' } });
  await second.byHand(`update accounts set active = true where id = '${there.admin._id}'`);
  await second.db.transaction((tx) => liftFence(tx, fence, second.clock.now()));
  expect(await bet()).toMatchObject({ body: { code: 'INVALID_INPUT' } });
});

it('asks all cells for a public draw, once', async () => {
  const { body } = await second.bet(there.user, { 3: 1 });
  const url = (id: string): string => `/api/fair/draw/${id}`;
  const { drawId } = body.ticket;
  const onward = await first.send('GET', url(drawId));
  expect(onward).toMatchObject({ status: 421, body: { code: 'OTHER_CELL', cell: 'cell-2' } });
  const header = { [CELL_HEADER]: String(onward.headers[CELL_HEADER.toLowerCase()]) };
  expect(await second.send('GET', url(drawId), {}, undefined, header)).toMatchObject({ status: 200, body: { drawId } });
  const unknown = randomUUID();
  expect((await first.send('GET', url(unknown))).status).toBe(421);
  expect((await second.send('GET', url(unknown), {}, undefined, header)).status).toBe(404);
});

it('finds no name of other cells while the directory is down', async () => {
  await group.setAway(true);
  expect(await signIn(first, there.user.username)).toMatchObject({ status: 503, body: { code: 'NOT_READY' } });
  expect((await signIn(first, here.user.username)).status).toBe(200);
  const { token } = await second.signIn(there.user.username);
  expect(await first.call(session, {}, { token })).toMatchObject(toSecond);
  await group.setAway(false);
});
