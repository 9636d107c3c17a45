import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { makeApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { changePassword, confirmPassword, login } from '@drawhouse/contract/auth/auth';
import { backupAddress, downloadBackup, exportBackup } from '@drawhouse/contract/backup/backups';
import { deleteRecords } from '@drawhouse/contract/clearing/clearing';
import { addResult, voidDraw } from '@drawhouse/contract/draws/draws';
import { ELEVATION_MINUTES, PASSWORD_HEADER, RECENT_MINUTES } from '@drawhouse/contract/core/route';
import { addGame, changeGame, gameList } from '@drawhouse/contract/games/game-catalogue';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { timeList } from '@drawhouse/contract/games/times';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp, type As, type Network, type Reply, type SignedIn } from '../../../test/harness.ts';
import { RESTORES_NOTHING } from '../../../test/backups/restores-nothing.ts';
import { PASSWORD } from '../../../test/test-password.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import type { Tx } from '../../platform/db/database.ts';
import { SCOPES } from '../attempts/attempts.ts';

const MINUTE_MS = 60_000;
const IDLE_MS = ELEVATION_MINUTES.idle * MINUTE_MS;
const MOST_MS = ELEVATION_MINUTES.most * MINUTE_MS;
const WRONG = 'not the password';
const NEW = 'another horse battery';

let t: TestApp;
let net: Network;

beforeAll(async () => {
  t = await TestApp.start({ backupParts: RESTORES_NOTHING });
});
afterAll(() => t.close());
beforeEach(async () => {
  t.clock.advance(1_000);
  net = await t.network({ credit: 10, reserve: 0 });
});

async function open(
  account: SignedIn,
  body: { elevation?: boolean } = { elevation: true },
): Promise<Required<Pick<As, 'token'>> & As> {
  const { token, elevation } = await t.ok(login, { body: { username: account.username, password: PASSWORD, ...body } });
  return elevation === undefined ? { token } : { token, elevation };
}

async function confirm(as: As, password = PASSWORD): Promise<string> {
  return (await t.ok(confirmPassword, { body: { password } }, as)).elevation;
}

const codeOf = ({ status, body }: Reply<unknown>): string | number => body.code ?? status;

const note = async (as: As, on = t): Promise<string | number> =>
  codeOf(
    await on.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { note: 'by hand' } }, as),
  );

const setPassword = async (as: As, password = NEW): Promise<string | number> =>
  codeOf(await t.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { password } }, as));

const STRICT: Readonly<Record<string, (as: As) => Promise<Reply<unknown>>>> = {
  'an API key': (as) =>
    t.call(makeApiKey, { body: { name: 'Front', ticketsPerMinute: 5, stakePerDay: 100, addresses: [] } }, as),
  'a daily limit': (as) =>
    t.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body: { dailyLimit: 5 } }, as),
  'limits of a game': async (as) => {
    const params = { adminId: net.admin._id };
    const { data } = await t.ok(listLimits, { params }, as);
    return t.call(setLimits, { params, body: { updates: [{ id: data[0]!.id, perTicket: 5 }] } }, as);
  },
  'a void draw': (as) =>
    t.call(voidDraw, { body: { gameId: 'funtargetbingo', adminId: net.admin._id, reason: 'Wrong ball' } }, as),
};

const save = async (as: As): Promise<string | number> =>
  codeOf(await t.call(addResult, { body: { gameId: 'funtargetbingo', adminId: net.admin._id, result: '3' } }, as));

describe('an elevation', () => {
  it('comes with a requesting sign-in or a later password', async () => {
    expect((await open(net.admin, {})).elevation).toBeUndefined();
    const { token, elevation } = await open(net.admin);
    expect(elevation).toMatch(/^[\w-]{43}$/);
    const later = await confirm({ token });
    expect(later).toMatch(/^[\w-]{43}$/);
    expect([await note({ token }), await note({ token, elevation }), await note({ token, elevation: later })]).toEqual([
      'CONFIRM_PASSWORD',
      200,
      200,
    ]);
  });

  it('is documented in OpenAPI as answered', async () => {
    const { body } = await t.send('GET', '/api/openapi.json');
    const { paths } = body as unknown as { paths: Record<string, { post: { summary: string; responses: object } }> };
    const [signIn, confirming] = [paths['/api/auth/login']!.post, paths['/api/auth/confirm']!.post];
    expect(signIn.summary).toContain('With `elevation: true` it also returns an elevation');
    expect(confirming.summary).toContain('returns an elevation');
    const required = ({ responses }: typeof signIn, status: string): unknown =>
      (responses as never)[status]['content']['application/json']['schema']['required'];
    expect(required(signIn, '200')).not.toContain('elevation');
    expect(required(confirming, '200')).toContain('elevation');
  });

  it('is stored as a hash', async () => {
    const { elevation } = await open(net.admin);
    const [{ all } = { all: '' }] = await t.db.query<{ all: string }>(
      'select json_agg(e)::text as all from elevations e',
    );
    expect(all).not.toContain(elevation);
    expect(all).not.toContain(Buffer.from(elevation!, 'base64url').toString('hex'));
  });

  it('expires ten minutes after its last use', async () => {
    const as = await open(net.admin);
    t.clock.advance(IDLE_MS - 1);
    expect(await note(as)).toBe(200);
    t.clock.advance(IDLE_MS - 1);
    expect(await note(as)).toBe(200);
    t.clock.advance(IDLE_MS + 1);
    expect(await note(as)).toBe('CONFIRM_PASSWORD');
  });

  it('expires after an hour', async () => {
    const as = await open(net.admin);
    for (let passed = 0; passed < MOST_MS; passed += IDLE_MS / 2) {
      expect(await note(as)).toBe(200);
      t.clock.advance(IDLE_MS / 2);
    }
    t.clock.advance(1);
    expect(await note(as)).toBe('CONFIRM_PASSWORD');
  });

  it('allows saving results for the whole session and nothing else', async () => {
    const as = await open(net.admin);
    for (let passed = 0; passed < 2 * MOST_MS; passed += IDLE_MS)
      await t.finishDraw(IDLE_MS / 1000).then(() => note({ token: as.token }));
    await t.finishDraw();
    expect([await note(as), await save(as), await note(as), await save({ token: as.token })]).toEqual([
      'CONFIRM_PASSWORD',
      200,
      'CONFIRM_PASSWORD',
      'CONFIRM_PASSWORD',
    ]);
  });

  it('is not extended when the clock goes back', async () => {
    const as = await open(net.admin);
    t.clock.advance(-24 * 60 * MINUTE_MS);
    expect(await note(as)).toBe('CONFIRM_PASSWORD');
    t.clock.advance(24 * 60 * MINUTE_MS);
  });

  it('belongs to one session and account', async () => {
    const [one, other, stranger] = [await open(net.admin), await open(net.admin), await open(net.superadmin)];
    expect(await note({ token: other.token, elevation: one.elevation! })).toBe('CONFIRM_PASSWORD');
    expect(await note({ token: stranger.token, elevation: one.elevation! })).toBe('CONFIRM_PASSWORD');
    expect(await note({ ...one, cookie: true })).toBe('NOT_SIGNED_IN');
  });

  it('works immediately on every server', async () => {
    const secondServer = await t.beside();
    const as = await open(net.admin);
    expect([await note(as), await note(as, secondServer)]).toEqual([200, 200]);
    await secondServer.close();
  });

  it('ends with its session and with a new password', async () => {
    const [one, other] = [await open(net.admin), await open(net.admin)];
    await t.ok(changePassword, { body: { opass: PASSWORD, npass: NEW, cpass: NEW } }, one);
    expect([await note(one), await note(other)]).toEqual(['CONFIRM_PASSWORD', 'SESSION_ENDED']);
    expect(await note({ ...one, elevation: await confirm(one, NEW) })).toBe(200);
    const [left] = await t.db.query<{ n: bigint }>(
      'select count(*) as n from elevations e join sessions s on s.token_hash = e.session_hash where s.account_id = $1',
      [net.admin._id],
    );
    expect(Number(left!.n)).toBe(1);
  });

  it('is refused if the password changes or the session ends during the check', async () => {
    const { token } = await open(net.admin);
    const body = { password: PASSWORD };
    const confirmWhile = (act: (tx: Tx) => Promise<unknown>): Promise<{ late: Promise<Reply<unknown>> }> =>
      t.db.transaction(async (tx) => {
        await tx.query('select from accounts where id = $1 for update', [net.admin._id]);
        const late = t.call(confirmPassword, { body }, { token });
        await untilWaiting(t);
        await tx.query('set local session_replication_role = replica');
        await act(tx);
        return { late };
      });
    const { late: replaced } = await confirmWhile((tx) =>
      tx.query("update accounts set password_hash = password_hash || 'x' where id = $1", [net.admin._id]),
    );
    expect(await replaced).toMatchObject({
      body: { code: 'WRONG_PASSWORD', fields: { password: 'The password is wrong' } },
    });
    await t.db.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("update accounts set password_hash = rtrim(password_hash, 'x') where id = $1", [net.admin._id]);
    });
    const { late: ended } = await confirmWhile((tx) =>
      tx.query('delete from sessions where account_id = $1', [net.admin._id]),
    );
    expect(codeOf(await ended)).toBe('SESSION_ENDED');
  });

  it('exists for up to twenty tabs of a session; the oldest is dropped', async () => {
    const as = await open(net.admin);
    t.clock.advance(1_000);
    for (let n = 0; n < 20; n++) await confirm(as);
    expect(await note(as)).toBe('CONFIRM_PASSWORD');
  });

  it("is not opened by a transfer's password", async () => {
    const { token } = await open(net.admin);
    const body = { toUserId: net.user._id, transferAmount: 1, password: PASSWORD };
    expect(codeOf(await t.call(accountRoutes.user.creditTransfer, { body }, { token }))).toBe('INSUFFICIENT_CREDIT');
    expect(await note({ token })).toBe('CONFIRM_PASSWORD');
  });
});

describe('confirming a password', () => {
  it('is throttled like a transfer, even for the correct one', async () => {
    const as = { ...(await open(net.admin)), ip: '10.8.0.1' };
    for (let n = 0; n < SCOPES.pair.most; n++)
      expect(await t.call(confirmPassword, { body: { password: WRONG } }, as)).toMatchObject({
        status: 403,
        body: { code: 'WRONG_PASSWORD', fields: { password: 'The password is wrong' } },
      });
    expect(codeOf(await t.call(confirmPassword, { body: { password: PASSWORD } }, as))).toBe('THROTTLED');
    const body = { toUserId: net.user._id, transferAmount: 1, password: PASSWORD };
    expect(codeOf(await t.call(accountRoutes.user.creditTransfer, { body }, as))).toBe('THROTTLED');
    expect(codeOf(await byHeader(as))).toBe('THROTTLED');
  });

  it('is logged, refused or not, without the input', async () => {
    const as = { ...(await open(net.admin)), ip: '10.8.0.2' };
    await t.call(confirmPassword, { body: { password: WRONG } }, as);
    const elevation = await confirm(as);
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
    expect(all).not.toMatch(new RegExp(`${WRONG}|${PASSWORD}|${elevation}`));
  });
});

function byHeader(as: As, password = PASSWORD): Promise<Reply<unknown>> {
  const header = Buffer.from(password).toString('latin1');
  return t.send(
    'PUT',
    `/api/retailers/${net.retailer._id}`,
    { token: as.token!, ...(as.ip && { ip: as.ip }) },
    { note: 'By header' },
    { [PASSWORD_HEADER]: header },
  );
}

describe('a password in a header', () => {
  it('allows one call and opens no elevation', async () => {
    const { token } = await open(net.admin);
    expect((await byHeader({ token })).status).toBe(200);
    expect(await note({ token })).toBe('CONFIRM_PASSWORD');
  });

  it('may be any text', async () => {
    const password = 'grün Straße 東京';
    await t.ok(changePassword, { body: { opass: PASSWORD, npass: password, cpass: password } }, net.admin);
    expect((await byHeader(net.admin, password)).status).toBe(200);
  });

  it('is refused if wrong, counted and logged', async () => {
    const as = { token: (await open(net.admin)).token, ip: '10.8.0.3' };
    expect(await byHeader(as, WRONG)).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    const { data } = await t.ok(activityLog.route, { query: {} }, net.admin);
    expect(data[0]).toMatchObject({ subject: 'Confirmation refused: The password is wrong.', ipAddress: '10.8.0.3' });
    for (let n = 1; n < SCOPES.pair.most; n++) await byHeader(as, WRONG);
    expect(codeOf(await byHeader(as))).toBe('THROTTLED');
  });
});

describe('a session without elevation', () => {
  let token: string;
  beforeEach(async () => {
    ({ token } = await open(net.admin, {}));
  });

  it("makes the specification's calls by its token while it lasts", async () => {
    expect(await note({ token })).toBe(200);
    for (let passed = 0; passed < 2 * MOST_MS; passed += IDLE_MS) {
      t.clock.advance(IDLE_MS);
      await note({ token });
    }
    await t.finishDraw();
    expect([await note({ token }), await save({ token })]).toEqual([200, 200]);
  });

  it("sets another account's password and clears only within ten minutes of sign-in", async () => {
    const clear = async (): Promise<string | number> =>
      codeOf(
        await t.call(
          deleteRecords,
          { body: { startDate: '2026-03-01', endDate: '2026-03-05', models: ['ticket'] } },
          { token },
        ),
      );
    t.clock.advance(RECENT_MINUTES * MINUTE_MS - 1);
    expect([await setPassword({ token }), await clear()]).toEqual([200, 'RULE_REFUSED']);
    t.clock.advance(1);
    expect([await setPassword({ token }, `${NEW} staple`), await clear()]).toEqual([
      'CONFIRM_PASSWORD',
      'CONFIRM_PASSWORD',
    ]);
    expect(await setPassword({ token, elevation: await confirm({ token }) }, `${NEW} staple`)).toBe(200);
  });

  it('creates no superadmin, who could issue credit, after those ten minutes', async () => {
    const by = await open(net.superadmin, {});
    const body = { username: `chief-${net.networkId}`, password: NEW, commission: 0, note: 'add notes' };
    t.clock.advance(RECENT_MINUTES * MINUTE_MS);
    expect(codeOf(await t.call(accountRoutes.superadmin.create, { body }, by))).toBe('CONFIRM_PASSWORD');
  });

  it.each(Object.keys(STRICT))('never makes %s', async (what) => {
    expect(codeOf(await STRICT[what]!({ token }))).toBe('CONFIRM_PASSWORD');
    const elevation = await confirm({ token });
    expect(codeOf(await STRICT[what]!({ token, elevation }))).not.toBe('CONFIRM_PASSWORD');
  });

  it('no longer acts by its token once the superadmin switched that off for its network', async () => {
    const other = await t.network({ credit: 0 });
    const elsewhere = await open(other.admin, {});
    const set = (tokenSessions: boolean) =>
      t.ok(accountRoutes.admin.update, { params: { id: net.admin._id }, body: { tokenSessions } }, net.superadmin);
    expect((await set(false)).data.tokenSessions).toBe(false);
    const retailer = await open(net.retailer, {});
    const edit = (as: As, id: string) =>
      t.call(accountRoutes.user.update, { params: { id }, body: { note: 'by hand' } }, as);
    expect([await note({ token }), codeOf(await edit(retailer, net.user._id))]).toEqual([
      'CONFIRM_PASSWORD',
      'CONFIRM_PASSWORD',
    ]);
    expect((await edit(elsewhere, other.user._id)).status).toBe(200);
    await set(true);
    expect(await note({ token })).toBe(200);
    const { data } = await t.ok(activityLog.route, { query: {} }, net.superadmin);
    expect(data.map(({ subject }) => subject)).toContain(
      `Changed calls by token alone of admin ${net.admin.username} from Allowed to Refused`,
    );
  });

  it('acts by its token for a superadmin if the settings allow it', async () => {
    const secondServer = await t.beside({ superadminByToken: false });
    const [plain, elevated] = [await open(net.superadmin, {}), await open(net.superadmin)];
    expect([await note(plain), await note(plain, secondServer), await note(elevated, secondServer)]).toEqual([
      200,
      'CONFIRM_PASSWORD',
      200,
    ]);
    expect(await note({ token }, secondServer)).toBe(200);
    await secondServer.close();
  });

  it('is restricted by the superadmin only, for admins only', async () => {
    const body = { tokenSessions: false };
    expect(
      await t.call(accountRoutes.retailer.update, { params: { id: net.retailer._id }, body }, net.superadmin),
    ).toMatchObject({ status: 400, body: { fields: { tokenSessions: 'Set this on the admin of the network' } } });
    expect(codeOf(await t.call(accountRoutes.admin.update, { params: { id: net.admin._id }, body }, net.admin))).toBe(
      'NOT_ALLOWED',
    );
  });
});

describe('changing games', () => {
  it('is sensitive when adding one, with or without result mode', async () => {
    const { token, elevation } = await open(net.superadmin);
    const { data: times } = await t.ok(timeList.route, {}, net.superadmin);
    const body = {
      gameName: 'Spare',
      description: 'Made by hand',
      releaseDate: '2026-03-01',
      publisher: 'Drawhouse',
      nodigit: 10,
      timeId: [times[0]!._id],
    };
    for (const mode of [{}, { resultMode: 'open' as const }]) {
      expect(codeOf(await t.call(addGame, { body: { ...body, ...mode } }, { token }))).toBe('CONFIRM_PASSWORD');
      const { data } = await t.ok(addGame, { body: { ...body, ...mode } }, { token, elevation: elevation! });
      expect(data.resultMode).toBe('open');
    }
  });

  it('requires an elevation for everything beyond the specification, also in forms with files', async () => {
    const { token } = await open(net.superadmin, {});
    const { data: games } = await t.ok(gameList.route, { query: {} }, net.superadmin);
    const params = { id: games.find(({ gameId }) => gameId === 'funtargetbingo')!._id };
    const change = async (body: object): Promise<string | number> =>
      codeOf(await t.call(changeGame, { params, body }, { token }));
    expect(await change({ publisher: 'Somebody' })).toBe(200);
    for (const body of [{ resultMode: 'two-person' }, { unitPrice: 2 }, { pays: null }])
      expect(await change(body)).toBe('CONFIRM_PASSWORD');
    const form = async (field: string): Promise<string | number> =>
      codeOf(
        await t.send(
          'PUT',
          `/api/game/${params.id}`,
          { token },
          `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n\r\n--b--\r\n`,
          { 'content-type': 'multipart/form-data; boundary=b' },
        ),
      );
    expect([await form('logo'), await form('pays')]).toEqual([200, 'CONFIRM_PASSWORD']);
  });
});

describe("a backup's download address", () => {
  const addressOf = async (as: As): Promise<string> => {
    const { folder } = await t.ok(exportBackup, {}, net.admin);
    return (await t.ok(backupAddress, { query: { folder } }, as)).address;
  };
  const fetched = async (address: string, token: string): Promise<string | number> =>
    codeOf(await t.send('GET', address, { token, cookie: true }));

  it("works once within a minute with its session's cookie", async () => {
    const as = await open(net.admin);
    const other = await open(net.admin);
    const [once, late] = [await addressOf(as), await addressOf(as)];
    expect(await fetched(once, other.token)).toBe('CONFIRM_PASSWORD');
    expect([await fetched(once, as.token), await fetched(once, as.token)]).toEqual([200, 'CONFIRM_PASSWORD']);
    t.clock.advance(MINUTE_MS + 1);
    expect(await fetched(late, as.token)).toBe('CONFIRM_PASSWORD');
  });

  it('opens nothing else', async () => {
    const as = await open(net.admin);
    const [one, other] = [new URL(await addressOf(as), 'http://x'), new URL(await addressOf(as), 'http://x')];
    const secret = one.searchParams.get('once')!;
    other.searchParams.set('once', secret);
    expect(await fetched(`${other.pathname}${other.search}`, as.token)).toBe('CONFIRM_PASSWORD');
    expect(await note({ token: as.token, elevation: secret })).toBe('CONFIRM_PASSWORD');
  });

  it('is not needed by programs', async () => {
    const as = await open(net.admin);
    const { folder } = await t.ok(exportBackup, {}, net.admin);
    expect(codeOf(await t.call(downloadBackup, { query: { folder } }, { token: as.token }))).toBe('CONFIRM_PASSWORD');
    expect((await t.call(downloadBackup, { query: { folder } }, as)).status).toBe(200);
  });
});
