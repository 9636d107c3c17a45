import { childRoutes } from '@drawhouse/contract/accounts/account-children';
import type { ParentRole } from '@drawhouse/contract/accounts/account-children';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { changePassword, session } from '@drawhouse/contract/auth/auth';
import { confirmPassword } from '@drawhouse/contract/auth/confirm';
import { addGame, changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { listLimits } from '@drawhouse/contract/games/limits';
import { setPercentages } from '@drawhouse/contract/games/percentages';
import { roleAbove, ROLES } from '@drawhouse/contract/frame/primitives';
import { CONFIRMED_FOR_MINUTES } from '@drawhouse/contract/frame/route';
import type { Route } from '@drawhouse/contract/frame/route';
import { timeList } from '@drawhouse/contract/games/times';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SCOPES } from '../src/auth/attempts.ts';
import { nameOf, ROUTES } from './contract-routes.ts';
import { TestApp } from './harness.ts';
import { PASSWORD } from './test-password.ts';
import type { As, Network, Reply, SignedIn } from './harness.ts';

const SECOND_MS = 1_000;
const LASTS_MS = CONFIRMED_FOR_MINUTES * 60 * SECOND_MS;
const WRONG = 'not the password';
const NEW = 'another horse battery';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  net = await t.network({ credit: 10, reserve: 0 });
});

const late = (): void => t.clock.advance(LASTS_MS + SECOND_MS);
const confirm = (as: As, password = PASSWORD, on = t): Promise<Reply<typeof confirmPassword>> =>
  on.call(confirmPassword, { body: { password } }, as);
const limit = (as: As, dailyLimit: number, on = t): Promise<Reply<unknown>> =>
  on.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { dailyLimit } }, as);
const codeOf = ({ status, body }: Reply<unknown>): string | number => body.code ?? status;

/** A sensitive call, and what it answers where the password was given lately. */
interface Sensitive {
  readonly name: string;
  readonly status: number;
  readonly send: () => Promise<Reply<unknown>>;
}

/** Every sensitive field of the edits of accounts, sent alone by the superadmin; `value` is another each time. */
function edits(value: string): Sensitive[] {
  const by = net.superadmin;
  return ROLES.slice(1).flatMap((role) => {
    const above = roleAbove(role) as ParentRole;
    const fields = {
      password: `${value} of ${role}`,
      refId: net[above]._id,
      dailyLimit: value.length,
      commissionCeiling: 40 + value.length,
      tableLine: value.length,
    };
    return Object.entries(fields).flatMap(([field, given]): Sensitive[] => {
      const body = { [field]: given };
      // Players pass no credit on, and only admins have a ceiling and a line.
      const isOfAdmin = field === 'commissionCeiling' || field === 'tableLine';
      const isRefused = field === 'dailyLimit' ? role === 'user' : isOfAdmin && role !== 'admin';
      const status = isRefused ? 400 : 200;
      const params = { id: net[role]._id };
      const child = { id: net[above]._id, childId: net[role]._id };
      const ofChild = { ...body, ...(field === 'password' && { password: `${value} of child ${role}` }) };
      return [
        { name: `${field} of ${role}`, status, send: () => t.call(accountRoutes[role].update, { params, body }, by) },
        {
          name: `${field} of child ${role}`,
          status,
          send: () => t.call(childRoutes[above].update, { params: child, body: ofChild }, by),
        },
      ];
    });
  });
}

/** The same of games, and of a win percentage; `price` is another each time. */
async function gameChanges(price: number): Promise<Sensitive[]> {
  const by = net.superadmin;
  const { data: times } = await t.ok(timeList.route, {}, by);
  const { data: games } = await t.ok(gameList.route, { query: {} }, by);
  const bingo = games.find(({ gameId }) => gameId === 'funtargetbingo')!._id;
  const { data: pairs } = await t.ok(listLimits, { params: { adminId: net.admin._id } }, by);
  const plain = {
    gameName: 'Spare',
    description: 'Made by hand',
    releaseDate: '2026-03-01',
    publisher: 'Drawhouse',
    nodigit: 10,
    timeId: [times[0]!._id],
  };
  const fields = { resultMode: 'two-person' as const, unitPrice: price, pays: null };
  return [
    ...Object.entries(fields).flatMap(([field, given]): Sensitive[] => [
      {
        name: `${field} of a new game`,
        status: 201,
        send: () => t.call(addGame, { body: { ...plain, [field]: given } }, by),
      },
      {
        name: `${field} of a game`,
        status: 200,
        send: () => t.call(changeGame, { params: { id: bingo }, body: { [field]: given } }, by),
      },
    ]),
    {
      name: 'a win percentage',
      status: 200,
      send: () =>
        t.call(
          setPercentages,
          { params: { id: by._id }, body: { updates: [{ id: pairs[0]!.id, winpercentage: 100 * price }] } },
          by,
        ),
    },
  ];
}

/** What sensitive calls change. */
const sensitiveState = (): Promise<unknown[]> =>
  t.db.query(`select
    (select json_agg(json_build_array(id, password_hash, chain, daily_limit, commission_ceiling, table_line) order by id) from accounts) as accounts,
    (select json_agg(json_build_array(id, unit_price, pays, result_mode) order by id) from games) as games,
    (select json_agg(win_percentage order by network_id, game_id) from network_games) as percentages`);

describe('of the commands of the contract', () => {
  const isCommand = (route: Route): boolean => route.method !== 'GET' || route.changesState === true;
  const isEdit = (route: Route): boolean => /^PUT \w+s\/:id(\/children\/:childId)?$/.test(nameOf(route));
  const isMovement = (route: Route): boolean => /credit-(transfer|adjust)$/.test(route.path);

  it('each says whether it is sensitive, and nothing else does', () => {
    const marks = Object.fromEntries(
      ROUTES.filter(({ sensitive }) => sensitive !== false && sensitive !== undefined).map((route) => [
        nameOf(route),
        route.sensitive,
      ]),
    );
    const ofEdits = ROUTES.filter(isEdit).map((route) => [
      nameOf(route),
      ['password', 'refId', 'dailyLimit', 'commissionCeiling', 'tableLine'],
    ]);
    expect(ofEdits).toHaveLength(11);
    const terms = ['resultMode', 'unitPrice', 'pays'];
    expect(marks).toEqual({
      ...Object.fromEntries(ofEdits),
      ...Object.fromEntries(ROUTES.filter(isMovement).map((route) => [nameOf(route), 'asks'])),
      'POST admins/create': ['commissionCeiling'],
      'POST superadmins/:id/children': ['commissionCeiling'],
      'POST game': terms,
      'PUT game/:id': terms,
      'PUT percentage/bulk/winpercentage/:id': true,
      'POST credit/commission-payout': 'asks',
      'POST credit/commission-payouts': 'asks',
      'POST users/chnagepassword': 'asks',
      'POST auth/confirm': 'asks',
      'POST players/:playerId/protection/exclusion': true,
      'POST players/:playerId/protection/exclusion/end': true,
      'POST apikeys': true,
      'PUT apikeys/:keyId': true,
      'POST backup/deleterecords': true,
      'GET backup/downloadbackup': true,
      'GET backup/importbackup': true,
      'POST backup/undo': true,
      'DELETE backup/deletebackup': true,
    });
    const ofReading = ROUTES.filter((route) => (route.sensitive !== undefined) !== isCommand(route)).map(nameOf);
    expect(ofReading).toEqual(['GET backup/downloadbackup']);
  });

  it('each that asks for the password itself looks at it', async () => {
    const asking = ROUTES.filter(({ sensitive }) => sensitive === 'asks');
    for (const route of asking) {
      // An attempt more than a window takes is refused unseen.
      await t.db.query('delete from attempts');
      const level = ROLES.find((role) => Object.values(accountRoutes[role]).includes(route as never)) ?? 'admin';
      const above = ROLES.find((role) => role !== 'user' && Object.values(childRoutes[role]).includes(route as never));
      const child = above && ROLES[ROLES.indexOf(above) + 1];
      const toUserId = net[child ?? level]._id;
      const body = {
        toUserId,
        transferAmount: 1,
        adjustAmount: 1,
        payouts: [{ toUserId }],
        password: WRONG,
        opass: WRONG,
        npass: NEW,
        cpass: NEW,
      };
      const path = route.path.replace(':id', above ? net[above]._id : '').replace(':childId', toUserId);
      const reply = await t.send(route.method, `/api/${path}`, net.superadmin, body);
      expect(reply, `${nameOf(route)} with a wrong password`).toMatchObject({
        status: 403,
        body: { code: 'WRONG_PASSWORD' },
      });
    }
  });
});

describe('what is sensitive', () => {
  it('is done up to ten minutes after the sign-in, and then not any more', async () => {
    t.clock.advance(LASTS_MS - SECOND_MS);
    const soon = [...edits(NEW), ...(await gameChanges(0.5))];
    for (const { name, status, send } of soon) expect([name, (await send()).status]).toEqual([name, status]);
    const before = await sensitiveState();
    t.clock.advance(2 * SECOND_MS);
    const later = [...edits(`quite ${NEW}`), ...(await gameChanges(0.25))];
    for (const { name, send } of later)
      expect({ name, ...(await send()) }).toMatchObject({ name, status: 403, body: { code: 'CONFIRM_PASSWORD' } });
    expect(await sensitiveState()).toEqual(before);
    expect((await confirm(net.superadmin)).status).toBe(200);
    for (const { name, status, send } of later) expect([name, (await send()).status]).toEqual([name, status]);
  });

  it('is what stands in an edit, whatever else does: the rest needs no password', async () => {
    late();
    const params = { id: net.retailer._id };
    const update = (body: object) => t.call(accountRoutes.retailer.update, { params, body }, net.admin);
    expect((await update({ note: 'by the river', commission: 1, userStatus: true })).status).toBe(200);
    expect(codeOf(await update({ note: 'by the sea', dailyLimit: null }))).toBe('CONFIRM_PASSWORD');
    const { data } = await t.ok(accountRoutes.retailer.get, { params }, net.admin);
    expect(data.note).toBe('by the river');
    const { data: games } = await t.ok(gameList.route, { query: {} }, net.superadmin);
    const [game] = games;
    const change = { params: { id: game!._id }, body: { publisher: 'Somebody' } };
    expect((await t.call(changeGame, change, net.superadmin)).status).toBe(200);
    expect((await t.make(net.admin)).username).toBeTruthy();
    const admin = { username: 'generous', password: PASSWORD, commission: 0, commissionCeiling: 90, note: 'A' };
    expect(codeOf(await t.call(accountRoutes.admin.create, { body: admin }, net.superadmin))).toBe('CONFIRM_PASSWORD');
  });

  it('is so in a form with files too', async () => {
    late();
    const { data } = await t.ok(gameList.route, { query: {} }, net.superadmin);
    const form = (field: string): Promise<Reply<unknown>> =>
      t.send(
        'PUT',
        `/api/game/${data[0]!._id}`,
        net.superadmin,
        `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n\r\n--b--\r\n`,
        { 'content-type': 'multipart/form-data; boundary=b' },
      );
    expect(codeOf(await form('logo'))).toBe(200);
    expect(codeOf(await form('pays'))).toBe('CONFIRM_PASSWORD');
    await confirm(net.superadmin);
    expect(codeOf(await form('pays'))).toBe(200);
  });

  it('tells who may not do it no more than before', async () => {
    const stranger = await t.network({ credit: 0 });
    const { data: pairs } = await t.ok(listLimits, { params: { adminId: net.admin._id } }, net.admin);
    late();
    const body = { password: NEW };
    const child = { id: net.admin._id, childId: net.superdistributor._id };
    const foreign = [
      await t.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body }, stranger.admin),
      await t.call(accountRoutes.admin.update, { params: { id: net.superadmin._id }, body }, net.superadmin),
      await t.call(childRoutes.admin.update, { params: child, body }, stranger.admin),
      await t.call(
        setPercentages,
        { params: { id: stranger.admin._id }, body: { updates: [{ id: pairs[0]!.id, winpercentage: 90 }] } },
        stranger.admin,
      ),
      await t.call(changeGame, { params: { id: net.admin._id }, body: { unitPrice: 2 } }, net.superadmin),
    ];
    expect(foreign.map(codeOf)).toEqual(Array(foreign.length).fill('NOT_FOUND'));
    const forbidden = [
      await t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body }, net.retailer),
      await t.call(changeGame, { params: { id: net.admin._id }, body: { unitPrice: 2 } }, net.admin),
    ];
    expect(forbidden.map(codeOf)).toEqual(['NOT_ALLOWED', 'NOT_ALLOWED']);
    const notOwn = { params: { id: net.admin._id }, body: { updates: [{ id: pairs[0]!.id, winpercentage: 90 }] } };
    expect(codeOf(await t.call(setPercentages, notOwn, net.superadmin))).toBe('IDENTITY_MISMATCH');
  });

  it('is not begun: a guess at the password of another account is told nothing', async () => {
    late();
    const guess = (password: string) =>
      t.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { password } }, net.admin);
    expect([codeOf(await guess(PASSWORD)), codeOf(await guess(NEW))]).toEqual(['CONFIRM_PASSWORD', 'CONFIRM_PASSWORD']);
  });
});

describe('a password that is given again', () => {
  it('is good for ten minutes of this session, and of no other', async () => {
    const other = await t.signIn(net.admin.username);
    late();
    expect(codeOf(await limit(net.admin, 1))).toBe('CONFIRM_PASSWORD');
    expect(await confirm(net.admin)).toMatchObject({ status: 200, body: { success: true } });
    expect(codeOf(await limit(other, 2))).toBe('CONFIRM_PASSWORD');
    t.clock.advance(LASTS_MS);
    expect(codeOf(await limit(net.admin, 3))).toBe(200);
    t.clock.advance(SECOND_MS);
    expect(codeOf(await limit(net.admin, 4))).toBe('CONFIRM_PASSWORD');
  });

  it('is not good for a day more where the clock has gone back by that since', async () => {
    expect(codeOf(await limit(net.admin, 1))).toBe(200);
    t.clock.advance(-24 * 60 * 60 * SECOND_MS);
    expect(codeOf(await limit(net.admin, 2))).toBe('CONFIRM_PASSWORD');
    await confirm(net.admin);
    expect(codeOf(await limit(net.admin, 3))).toBe(200);
  });

  it('is known to every server at once', async () => {
    const beside = await t.beside();
    late();
    expect([codeOf(await limit(net.admin, 1)), codeOf(await limit(net.admin, 1, beside))]).toEqual(
      Array(2).fill('CONFIRM_PASSWORD'),
    );
    await confirm(net.admin, PASSWORD, beside);
    expect([codeOf(await limit(net.admin, 1)), codeOf(await limit(net.admin, 2, beside))]).toEqual([200, 200]);
    await beside.close();
  });

  it('counts where it is asked for with a transfer, and with a new one of one’s own', async () => {
    const giveOn = (as: SignedIn, password: string): Promise<Reply<unknown>> =>
      t.call(accountRoutes.user.creditTransfer, { body: { toUserId: net.user._id, transferAmount: 1, password } }, as);
    late();
    expect(codeOf(await giveOn(net.admin, WRONG))).toBe('WRONG_PASSWORD');
    expect(codeOf(await limit(net.admin, 1))).toBe('CONFIRM_PASSWORD');
    // Its own answer may be another refusal.
    expect(codeOf(await giveOn(net.admin, PASSWORD))).toBe('INSUFFICIENT_CREDIT');
    expect(codeOf(await limit(net.admin, 1))).toBe(200);
    late();
    await t.ok(changePassword, { body: { opass: PASSWORD, npass: NEW, cpass: NEW } }, net.admin);
    expect(codeOf(await limit(net.admin, 2))).toBe(200);
  });

  it('is not given by a session that is merely used, nor by its cookie', async () => {
    late();
    const byCookie = { ...net.admin, cookie: true };
    expect((await t.call(session, {}, byCookie)).status).toBe(200);
    expect((await confirm(byCookie)).status).toBe(401);
    expect(codeOf(await limit(net.admin, 1))).toBe('CONFIRM_PASSWORD');
  });

  it('is wanted of a session of which it is not known', async () => {
    await t.db.query('update sessions set password_at = null where account_id = $1', [net.admin._id]);
    expect(codeOf(await limit(net.admin, 1))).toBe('CONFIRM_PASSWORD');
  });

  it('is guessed at no more often than with a transfer, and the right one waits too', async () => {
    late();
    const as = { ...net.admin, ip: '10.8.0.1' };
    for (let n = 0; n < SCOPES.pair.most; n++)
      expect(await confirm(as, WRONG)).toMatchObject({
        status: 403,
        body: { code: 'WRONG_PASSWORD', fields: { password: 'The password is wrong' } },
      });
    const refused = await confirm(as);
    expect([refused.status, refused.body.message]).toEqual([429, 'Too many attempts. Please wait 15 minutes.']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const body = { toUserId: net.user._id, transferAmount: 1, password: PASSWORD };
    expect(codeOf(await t.call(accountRoutes.user.creditTransfer, { body }, as))).toBe('THROTTLED');
    expect(codeOf(await limit(as, 1))).toBe('CONFIRM_PASSWORD');
  });

  it('is in the log, refused or not, and never what was typed', async () => {
    late();
    await confirm({ ...net.admin, ip: '10.8.0.2' }, WRONG);
    await confirm({ ...net.admin, ip: '10.8.0.2' });
    const { data } = await t.ok(activityLog.route, { query: {} }, net.admin);
    const row = {
      username: net.admin.username,
      ipAddress: '10.8.0.2',
      requestUrl: '/api/auth/confirm',
      method: 'POST',
    };
    expect(data.slice(0, 2)).toEqual([
      expect.objectContaining({ ...row, subject: 'Confirmed their own password' }),
      expect.objectContaining({ ...row, subject: 'Confirmation refused: The password is wrong.' }),
    ]);
    const [{ all } = { all: '' }] = await t.db.query<{ all: string }>(
      'select json_agg(a)::text as all from activity a',
    );
    expect(all).toContain('10.8.0.2');
    expect(all).not.toMatch(new RegExp(`${WRONG}|${PASSWORD}`));
  });
});
