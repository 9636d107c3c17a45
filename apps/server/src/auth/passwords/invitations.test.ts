import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { login, session } from '@drawhouse/contract/auth/auth';
import { acceptInvitation, inviteAccount, inviteLogin, readInvitation } from '@drawhouse/contract/auth/invitations';
import { addLogin, changeLogin, removeLogin } from '@drawhouse/contract/logins/logins';
import { afterAll, describe, expect, it } from 'vitest';
import { onFreshNetworks, type Network, type SignedIn, type TestApp } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

const OWN = 'another horse battery';
const DAY_MS = 24 * 60 * 60_000;

let t: TestApp;
let net: Network;
onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

const inviteTo = async (account: SignedIn, by: SignedIn): Promise<string> =>
  (await t.ok(inviteAccount, { params: { accountId: account._id } }, by)).invitation;
const accept = (invitation: string, password = OWN) => t.call(acceptInvitation, { body: { invitation, password } });
const codeOf = async (reply: Promise<{ status: number; body: { code?: string } }>): Promise<string | number> => {
  const { status, body } = await reply;
  return body.code ?? status;
};
const signsIn = (username: string, password: string) => codeOf(t.call(login, { body: { username, password } }));

let names = 0;
async function addedLogin(): Promise<{ readonly number: string; readonly username: string }> {
  const username = `invited-${++names}`;
  const body = { username, name: `Meera ${names}`, role: 'manager' as const, password: PASSWORD };
  return { number: String((await t.ok(addLogin, { body }, net.admin)).data.number), username };
}

describe('an invitation of an account', () => {
  it('ends the password and the sessions, and opens once', async () => {
    const { username } = net.retailer;
    const invitation = await inviteTo(net.retailer, net.distributor);
    expect(await codeOf(t.call(session, {}, net.retailer))).toBe('SESSION_ENDED');
    expect(await signsIn(username, PASSWORD)).toBe('WRONG_CREDENTIALS');
    expect(await t.ok(readInvitation, { body: { invitation } })).toMatchObject({ username, name: null });
    expect((await accept(invitation)).body).toMatchObject({ success: true, username });
    expect(await codeOf(accept(invitation, PASSWORD))).toBe('CHALLENGE_ENDED');
    expect((await t.ok(session, {}, await t.signIn(username, OWN))).user.mustChangePassword).toBe(false);
    t.clock.advance(60_000);
    await t.app.tick();
    const { data } = await t.ok(activityLog.route, { query: { sort: '-createdAt' } }, net.distributor);
    expect(data.map((row) => [row.username, row.subject])).toEqual(
      expect.arrayContaining([
        [username, 'Accepted their invitation'],
        [net.distributor.username, `Invited retailer ${username} to choose a password`],
      ]),
    );
  });

  it.each([
    ['a later invitation', () => inviteTo(net.retailer, net.distributor)],
    [
      'a new password',
      () =>
        t.ok(
          accountRoutes.retailer.update,
          { params: { id: net.retailer._id }, body: { password: PASSWORD } },
          net.admin,
        ),
    ],
    ['a week', () => Promise.resolve(t.clock.advance(7 * DAY_MS))],
  ])('is ended by %s', async (_what, end) => {
    const invitation = await inviteTo(net.retailer, net.distributor);
    await end();
    expect(await codeOf(t.call(readInvitation, { body: { invitation } }))).toBe('CHALLENGE_ENDED');
    expect(await codeOf(accept(invitation))).toBe('CHALLENGE_ENDED');
  });

  it('is of staff below the caller alone', async () => {
    const invite = ({ _id }: SignedIn, by: SignedIn) =>
      codeOf(t.call(inviteAccount, { params: { accountId: _id } }, by));
    const [other] = [await t.network({ credit: 0 })];
    expect([
      await invite(net.distributor, net.retailer),
      await invite(other.retailer, net.admin),
      await invite(net.user, net.retailer),
      await invite(net.admin, net.admin),
    ]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  it('takes only a good password', async () => {
    const invitation = await inviteTo(net.retailer, net.distributor);
    const refused = await accept(invitation, 'password1234');
    expect([refused.status, Object.keys((refused.body as { fields?: object }).fields ?? {})]).toEqual([
      400,
      ['password'],
    ]);
    expect((await accept(invitation)).status).toBe(200);
  });

  it('is used once by two at a time', async () => {
    const invitation = await inviteTo(net.retailer, net.distributor);
    const codes = await Promise.all([codeOf(accept(invitation)), codeOf(accept(invitation, PASSWORD))]);
    expect(codes.toSorted()).toEqual([200, 'CHALLENGE_ENDED']);
  });
});

describe('an invitation of a login', () => {
  const invite = async (number: string, by: SignedIn = net.admin) =>
    (await t.ok(inviteLogin, { params: { number } }, by)).invitation;

  it('names the person, and lets them in', async () => {
    const { number, username } = await addedLogin();
    const invitation = await invite(number);
    expect(await t.ok(readInvitation, { body: { invitation } })).toMatchObject({
      username,
      name: expect.stringContaining('Meera'),
    });
    await accept(invitation);
    expect((await t.ok(session, {}, await t.signIn(username, OWN))).user).toMatchObject({ mustChangePassword: false });
  });

  it('ends with the login, and is made by the owner of the account', async () => {
    const [off, gone] = [await addedLogin(), await addedLogin()];
    const invitations = [await invite(off.number), await invite(gone.number)];
    const terms = { name: 'Off', role: 'manager' as const, active: false };
    await t.ok(changeLogin, { params: { number: off.number }, body: terms }, net.admin);
    await t.ok(removeLogin, { params: { number: gone.number } }, net.admin);
    for (const invitation of invitations) expect(await codeOf(accept(invitation))).toBe('CHALLENGE_ENDED');
    expect(await codeOf(t.call(inviteLogin, { params: { number: off.number } }, net.superdistributor))).toBe(
      'NOT_FOUND',
    );
  });
});
