import { ownerOf, type Actor } from '../authority.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { reserveMovedAdmin } from './moved-admin.ts';

let t: TestApp;
let net: Network;
let superadmin: Actor;
beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  const { _id: id, username } = net.superadmin;
  superadmin = ownerOf({ id, networkId: 0, username, role: 'superadmin', chain: [id] });
});
afterAll(() => t.close());

const reserve = (username: string, id = t.app.services.newId()): Promise<Actor> =>
  reserveMovedAdmin(
    t.app.services,
    { actor: superadmin, origin: { url: '', method: '', ip: '', userAgent: '' } },
    { id, username },
  );

const networks = async (): Promise<bigint> => {
  const [row] = await t.db.query<{ n: bigint }>('select count(*) as n from networks');
  return row!.n;
};

describe('an admin reserved for an incoming network', () => {
  it.each<[string, () => string, object]>([
    [
      'taken',
      () => net.user.username.toUpperCase(),
      {
        code: 'USERNAME_TAKEN',
        fields: { username: 'This username is taken. Names of deleted accounts stay taken' },
      },
    ],
    [
      'like that of another admin',
      () => net.admin.username.replace('1', 'l'),
      { code: 'USERNAME_TAKEN', fields: { username: "This username looks like a staff account's. Choose another" } },
    ],
    [
      'reserved',
      () => 'Adm1n',
      { code: 'INVALID_INPUT', fields: { username: 'This username is reserved. Choose another' } },
    ],
    ['too short', () => 'ab', { code: 'INVALID_INPUT', fields: { username: expect.stringContaining('3 to 32') } }],
  ])('is refused if its username is %s', async (_what, username, refusal) => {
    const before = await networks();
    await expect(reserve(username())).rejects.toMatchObject(refusal);
    expect(await networks()).toBe(before);
  });

  it('is refused if its network is already here', async () => {
    await expect(reserve('newcomer', net.admin._id)).rejects.toMatchObject({
      code: 'RULE_REFUSED',
      message: expect.stringContaining(`The network of ${net.admin.username} already exists here`),
    });
  });

  it('cannot sign in, and is found again by a second attempt', async () => {
    const made = await reserve('newcomer');
    expect(await reserve('another', made.id)).toMatchObject(made);
    await expect(t.signIn('newcomer')).rejects.toThrow('WRONG_CREDENTIALS');
  });
});
