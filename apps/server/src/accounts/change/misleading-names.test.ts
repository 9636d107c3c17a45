import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { signup } from '@drawhouse/contract/auth/auth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

let t: TestApp;
let net: Network;
let other: Network;

beforeAll(async () => {
  t = await TestApp.start({ signupRetailer: 'retailer-4' });
  net = await t.network();
  other = await t.network();
  await t.create(net.distributor, { username: 'Kolkata.shop10' });
});
afterAll(() => t.close());

const create = async (username: string, by = net.retailer) => {
  const role = by === net.superadmin ? 'admin' : 'user';
  const body = { username, password: PASSWORD, note: 'n', commission: 0, ...(role === 'admin' && { games: [] }) };
  return t.call(accountRoutes[role].create, { body }, by);
};

it.each([
  'system',
  'Root',
  'ADMIN',
  'superadmin',
  'shell',
  'adm1n',
  'r00t',
  'she11',
  'superadrnin',
  'super.admin',
  'super_admin',
  'a.d.m.i.n',
  '-admin-',
  'aclmin',
  '5ystem',
  'ｓｙｓｔｅｍ',
])('reserves %s', async (name) => {
  expect(await create(name)).toMatchObject({
    status: 400,
    body: { fields: { username: 'This username is reserved. Choose another' } },
  });
});

it.each(['kolkata.shop1o', 'KoIkata-shopl0', 'kolkata_shopi0', 'kolkata.sh0p10'])(
  'refuses %s, which resembles a retailer of the network',
  async (name) => {
    expect(await create(name)).toMatchObject({
      status: 409,
      body: {
        code: 'USERNAME_TAKEN',
        fields: { username: "This username looks like a staff account's. Choose another" },
      },
    });
  },
);

it('allows similar names across networks and among players', async () => {
  expect((await create('kolkata.shop1o', other.retailer)).status).toBe(201);
  expect((await create('anita.10')).status).toBe(201);
  expect((await create('anita.1o')).status).toBe(201);
});

it("refuses an admin whose name resembles another admin's", async () => {
  const look = net.admin.username.replace('1', 'l');
  expect(look).not.toBe(net.admin.username);
  expect(await create(look, net.superadmin)).toMatchObject({ status: 409 });
});

it('also applies to sign-up', async () => {
  const answer = await t.call(signup, { body: { username: 'r00t', password: PASSWORD } });
  expect(answer).toMatchObject({ status: 400, body: { fields: { username: expect.any(String) } } });
});
