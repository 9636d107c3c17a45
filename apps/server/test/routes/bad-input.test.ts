import * as accounts from '@drawhouse/contract/accounts/accounts';
import { activityLog } from '@drawhouse/contract/activity/activity';
import { OLDER_LIST_PATH } from '@drawhouse/contract/accounts/account-lists';
import { needsElevation, type Route } from '@drawhouse/contract/core/route';
import { ERRORS } from '@drawhouse/contract/core/errors';
import type { List } from '@drawhouse/contract/core/list';
import type { ListFilter } from '@drawhouse/contract/core/list-filters';
import { setApprovalRules } from '@drawhouse/contract/approvals/approvals';
import { makeApiKey, type ApiKeyTerms } from '@drawhouse/contract/api-keys/api-keys';
import { addLogin } from '@drawhouse/contract/logins/logins';
import { reverseTransfer } from '@drawhouse/contract/credit/credit';
import { exportBackup } from '@drawhouse/contract/backup/backups';
import { playerState } from '@drawhouse/contract/draws/draws';
import { addGame } from '@drawhouse/contract/games/game-catalogue';
import { addSchedule } from '@drawhouse/contract/games/schedules';
import { addTime, timeList } from '@drawhouse/contract/games/times';
import { listLimits } from '@drawhouse/contract/games/limits';
import { roleAbove, roleBelow, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityFieldsOf } from '../../src/accounts/read/caller-identity-fields.ts';
import { sessionIdOf } from '../../src/auth/sessions/sessions.ts';
import { CallError } from '../../src/platform/http/http-errors.ts';
import { jsonSchemaOf } from '../../src/platform/http/openapi.ts';
import { parseJsonBody } from '../../src/platform/http/request/json-body.ts';
import { validatorOf } from '../../src/platform/http/request/validate.ts';
import { LISTS, nameOf, READS, ROUTES, UNKNOWN_ID } from './contract-routes.ts';
import { TestApp, type As, type Network, type Reply } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { RESTORES_NOTHING } from '../backups/restores-nothing.ts';
import { eachNth, isWhole, runsOf } from '../test-tier.ts';

const NEW_PASSWORD = 'another horse battery';

/** A valid call using every field. New routes need a row in {@link examplesFor}; lists only for extra fields. */
interface Example {
  as?: Role;
  by?: As;
  /** Default 200 or 201; set if a rule forbids the call anyway. */
  status?: number;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
}

const FIRST = '2026-03-01T00:00:00.000Z';
const LAST = '2026-03-31T23:59:59.999Z';
const CLEARED = { startDate: '2026-03-01', endDate: '2026-03-05', models: ['ticket'] };

const WITH_INPUT = ROUTES.filter((route) => route.body || route.query || route.params);

const SENT = eachNth(6, WITH_INPUT);

let t: TestApp;
let net: Network;
let examples: Record<string, Example>;

beforeAll(async () => {
  // The harness numbers accounts.
  t = await TestApp.start({ signupRetailer: 'retailer-4', backupParts: RESTORES_NOTHING });
  net = await t.network({
    credit: 1000,
    games: ['funtargetbingo', 'fruit12', 'pingpong1'],
    commissions: { superdistributor: 1, distributor: 1, retailer: 1 },
  });
  if (net.retailer.username !== 'retailer-4') throw new Error('Signups belong to no retailer of this network.');
  await t.give(net.superadmin, net.superadmin, 100_000);
  for (const role of ROLES.slice(1)) await t.give(net.superadmin, net[role], 10_000);
  const { draw } = await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user);
  const second = await t.signIn(net.user.username);
  const spares: Record<string, string> = {};
  for (const role of ROLES.slice(1))
    for (const use of ['edit', 'remove', 'removeAs', 'removeChild'])
      spares[`${role} to ${use}`] = (await t.make(net[roleAbove(role)!], { role }))._id;
  const limited = await t.ok(listLimits, { params: { adminId: net.admin._id } }, net.admin);
  const { ticket } = (await t.bet(net.user, { 7: 1 })).body;
  const sent = { toUserId: net.user._id, transferAmount: 5, password: PASSWORD };
  const { transferId } = await t.ok(accounts.accountRoutes.user.creditTransfer, { body: sent }, net.admin);
  await t.ok(reverseTransfer, { body: { transferId, password: PASSWORD } }, net.admin);
  const ids = {
    transferId,
    drawId: draw!._id,
    ticketId: ticket._id,
    sessionId: sessionIdOf(second.token),
    pairId: limited.data[0]!.id,
    entryId: (await t.ok(activityLog.route, { query: {} }, net.admin)).data[0]!._id,
  };
  examples = examplesFor(ids, (role, use) => spares[`${role} to ${use}`]);
  Object.assign(
    examples,
    await gameExamples(),
    await timeExamples(),
    await backupExamples(),
    await protectionExamples(),
    await apiKeyExamples(),
    await approvalExamples(),
    await loginExamples(),
  );
});
afterAll(() => t.close());

async function backupExamples(): Promise<Record<string, Example>> {
  const make = async () => (await t.ok(exportBackup, {}, net.admin)).folder;
  const [folder, spare] = [await make(), await make()];
  const ofFolder: Example = { as: 'admin', query: { folder } };
  return {
    'GET backup/checkbackup': ofFolder,
    'GET backup/losses': ofFolder,
    'GET backup/importbackup': { as: 'admin', query: { folder, renames: '{"anita":"anita2"}' } },
    'GET backup/downloadbackup': { as: 'admin', query: { folder, once: 'none' } },
    'POST backup/downloadbackup': ofFolder,
    'GET backup/transferbackup': ofFolder,
    'POST backup/drill': { as: 'admin', body: { folder } },
    'DELETE backup/deletebackup': { as: 'admin', query: { folder: spare } },
  };
}

async function apiKeyExamples(): Promise<Record<string, Example>> {
  const terms = {
    name: 'Front',
    ticketsPerMinute: 600,
    stakePerDay: 1_000.5,
    permissions: ['lists', 'credit'],
    creditPerDay: 500.5,
    expiresAt: LAST,
    addresses: ['203.0.113.0/24'],
  } satisfies Partial<ApiKeyTerms>;
  const make = async () => (await t.ok(makeApiKey, { body: terms }, net.admin)).data._id;
  const [keyId, spare] = [await make(), await make()];
  return {
    'POST apikeys': { as: 'admin', body: terms },
    'PUT apikeys/:keyId': { as: 'admin', params: { keyId }, body: { ...terms, name: 'Back' } },
    'POST apikeys/:keyId/end': { as: 'admin', params: { keyId: spare } },
    'GET apikeys/:keyId/days': { as: 'admin', params: { keyId } },
  };
}

async function approvalExamples(): Promise<Record<string, Example>> {
  // Passwords of this network are new, so its admin is no second person for the superadmin: the rule stays.
  const other = await t.network({ credit: 100 });
  // One person who sets two passwords within a week would count as both.
  for (const { _id } of [other.superdistributor, other.distributor])
    await t.byHand('update accounts set password_set_by = null, password_set_at = null where id = $1', [_id]);
  await t.give(other.superadmin, other.distributor, 1_000);
  const adminId = other.admin._id;
  await t.ok(
    setApprovalRules,
    { params: { adminId }, body: { rules: [{ kind: 'credit', above: 10 }] } },
    other.superadmin,
  );
  const ask = async () => {
    const sent = { toUserId: other.user._id, transferAmount: 50, password: PASSWORD };
    const { body } = await t.call(accounts.accountRoutes.user.creditTransfer, { body: sent }, other.distributor);
    return { approvalId: body.approval! };
  };
  return {
    'POST approvals/:approvalId/approve': { by: other.superdistributor, params: await ask() },
    'POST approvals/:approvalId/decline': {
      by: other.superdistributor,
      params: await ask(),
      body: { reason: 'Too much' },
    },
    'POST approvals/:approvalId/withdraw': { by: other.distributor, params: await ask() },
    'GET approvalrules/:adminId': { as: 'superadmin', params: { adminId } },
    'PUT approvalrules/:adminId': {
      as: 'superadmin',
      params: { adminId },
      body: { rules: [{ kind: 'credit', above: 9.5 }] },
    },
  };
}

async function loginExamples(): Promise<Record<string, Example>> {
  const terms = { name: 'Meera', role: 'cashier' as const, permissions: [], games: [], dailyLimit: 500.5 };
  const all = { ...terms, addresses: ['203.0.113.0/24'], hours: { from: '09:00', to: '17:30' } };
  const add = async (name: string) => {
    const body = { ...all, name, username: name.toLowerCase(), password: PASSWORD };
    return { number: String((await t.ok(addLogin, { body }, net.admin)).data.number) };
  };
  const [login, spare] = [await add('Asha.front'), await add('Ravi.front')];
  return {
    'POST logins': { as: 'admin', body: { ...all, username: 'meera.front', password: PASSWORD } },
    'PUT logins/:number': {
      as: 'admin',
      params: login,
      body: { ...all, name: 'Asha', active: true, password: 'another horse battery' },
    },
    'GET staffplaces/:adminId': { as: 'admin', params: { adminId: net.admin._id } },
    'PUT staffplaces/:adminId': {
      as: 'superadmin',
      params: { adminId: net.admin._id },
      body: { addresses: ['127.0.0.0/8'], hours: null },
    },
    'POST logins/:number/invitation': { as: 'admin', params: login },
    'DELETE logins/:number': { as: 'admin', params: spare },
    'GET logins/:number/sessions': { as: 'admin', params: login },
    'DELETE logins/:number/sessions': { as: 'admin', params: login, query: { sessionId: '0'.repeat(64) } },
  };
}

async function protectionExamples(): Promise<Record<string, Example>> {
  const [away, gone, excluded, free] = [
    await t.create(net.retailer),
    await t.create(net.retailer),
    await t.create(net.retailer),
    await t.create(net.retailer),
  ];
  const limit = { limit: 'stakePerDay' };
  const page = { page: '1', pageSize: '10' };
  const params = { playerId: net.user._id };
  return {
    'GET app/protection/history': { as: 'user', query: page },
    'PUT app/protection/limits/:limit': { as: 'user', params: limit, body: { value: 50_000 } },
    'POST app/protection/limits/:limit/confirm': { as: 'user', status: 422, params: limit },
    'POST app/protection/limits/:limit/withdraw': { as: 'user', status: 422, params: limit },
    'POST app/protection/break': { by: away, body: { length: '1 week' } },
    'POST app/protection/exclusion': { by: gone, body: { length: '1 year' } },
    'GET players/:playerId/protection': { as: 'admin', params },
    'GET players/:playerId/protection/history': { as: 'admin', params, query: page },
    'PUT players/:playerId/protection/limits/:limit': {
      as: 'retailer',
      params: { ...params, ...limit },
      body: { value: 40_000.5, reason: 'A call' },
    },
    'POST players/:playerId/protection/exclusion': {
      as: 'retailer',
      params: { playerId: excluded._id },
      body: { length: '6 months', reason: 'A call' },
    },
    'POST players/:playerId/protection/exclusion/end': {
      as: 'retailer',
      status: 422,
      params: { playerId: free._id },
      body: { reason: 'A call' },
    },
  };
}

const UNKNOWN_CHALLENGE = 'x'.repeat(60);

type Spare = (role: Role, use: 'edit' | 'remove' | 'removeAs' | 'removeChild') => string | undefined;

const ownAccount = (role: Role) => ({ _id: net[role]._id, username: net[role].username, role });

function examplesFor(
  {
    drawId,
    ticketId,
    transferId,
    sessionId,
    pairId,
    entryId,
  }: Record<'drawId' | 'ticketId' | 'transferId' | 'sessionId' | 'pairId' | 'entryId', string>,
  spare: Spare,
): Record<string, Example> {
  const pair = { gameId: 'funtargetbingo', adminId: net.admin._id };
  const table: Record<string, Example> = {
    'POST auth/login': { body: { username: net.user.username, password: PASSWORD, rememberMe: true, elevation: true } },
    'POST auth/signup': { status: 201, body: { username: 'newcomer', password: PASSWORD } },
    'GET app/logout': { as: 'retailer', query: { id: spare('user', 'edit')!, role: 'user' } },
    'POST users/chnagepassword': {
      as: 'user',
      body: { userId: net.user._id, opass: PASSWORD, npass: NEW_PASSWORD, cpass: NEW_PASSWORD },
    },
    'PUT house': {
      as: 'superadmin',
      body: {
        name: 'Lucky Star',
        logo: null,
        color: '#aa3300',
        helpLine: '',
        ageNotice: '',
        terms: '',
        gamblingHelp: [{ country: 'IN', name: 'Tele-MANAS', contact: '14416' }],
      },
    },
    'POST auth/confirm': {
      as: 'retailer',
      body: {
        password: PASSWORD,
        code: '123456',
        passkey: '{"id":"none","response":{}}',
        challenge: UNKNOWN_CHALLENGE,
      },
    },
    'POST auth/factor': {
      status: 401,
      body: {
        challenge: UNKNOWN_CHALLENGE,
        code: '123456',
        passkey: '{"id":"none","response":{}}',
        remember: true,
      },
    },
    'POST auth/invitation': { status: 401, body: { invitation: UNKNOWN_CHALLENGE } },
    'POST auth/invitation/accept': { status: 401, body: { invitation: UNKNOWN_CHALLENGE, password: NEW_PASSWORD } },
    'POST auth/factor/options': { status: 401, body: { challenge: UNKNOWN_CHALLENGE } },
    'POST auth/factors/passkeys': {
      as: 'retailer',
      status: 401,
      body: { setup: UNKNOWN_CHALLENGE, name: 'Laptop', passkey: '{"id":"none","response":{}}' },
    },
    'POST auth/factors': {
      as: 'retailer',
      status: 401,
      body: { setup: UNKNOWN_CHALLENGE, name: 'Phone', code: '123456' },
    },
    'DELETE auth/factors/:number': { as: 'retailer', status: 404, params: { number: '9' } },
    'DELETE auth/devices/:deviceId': { as: 'user', status: 404, params: { deviceId: '0'.repeat(64) } },
    'DELETE auth/sessions/:sessionId': { as: 'user', params: { sessionId } },
    'GET fetchUserById': { as: 'admin', query: { id: net.user._id, currentrole: 'admin' } },
    'GET reports/figures': {
      as: 'admin',
      query: { id: net.admin._id, startDate: FIRST, endDate: LAST },
    },
    'GET reports/account': {
      as: 'admin',
      query: { id: net.retailer._id, startDate: FIRST, endDate: LAST },
    },
    'GET reports/turn/series': {
      as: 'admin',
      query: { id: net.admin._id, startDate: FIRST, endDate: LAST, timeZone: 'Asia/Kolkata' },
    },
    'GET history/gamehistory': {
      as: 'admin',
      query: { id: net.admin._id, gameId: 'funtargetbingo', userId: net.user._id, drawId, tdate: '2026-03-10' },
    },
    'POST firststeps/chain': {
      as: 'superadmin',
      status: 201,
      body: {
        usernames: {
          admin: 'chain-admin',
          superdistributor: 'chain-super',
          distributor: 'chain-dist',
          retailer: 'chain-retail',
          user: 'chain-player',
        },
        accountPassword: PASSWORD,
        games: ['funtargetbingo'],
        adminCredit: 10.5,
        playerCredit: 1.5,
        testNetwork: true,
        password: PASSWORD,
      },
    },
    'PUT firststeps/simulation/:adminId': {
      as: 'superadmin',
      status: 422,
      params: { adminId: net.admin._id },
      body: { running: true },
    },
    'GET find': { as: 'admin', query: { text: 'user' } },
    'GET history/loadUsers': { as: 'admin', query: { id: net.admin._id, search: 'user', pageSize: '50' } },
    'GET history/loadGames': { as: 'admin', query: { id: net.admin._id } },
    'GET history/getdetailsbyticketid': { as: 'admin', query: { ticketId, gameId: 'funtargetbingo' } },
    'GET history/ticket/:ticketId': { as: 'admin', params: { ticketId } },
    'GET reports/draw/:drawId': { as: 'admin', params: { drawId } },
    'GET reports/transaction/:id': { as: 'admin', params: { id: transferId } },
    'POST credit/reverse': {
      as: 'admin',
      status: 409,
      body: { transferId, password: PASSWORD, userId: net.admin._id, note: 'Wrong account' },
    },
    'GET auth/userauth/:id': { as: 'admin', params: { id: net.user._id } },
    'GET counts/usercount': { as: 'admin', query: { id: net.admin._id, role: 'admin', currentrole: 'admin' } },
    'GET accounts/import-progress': { as: 'admin', query: { key: 'an-import' } },
    'GET counts/below': { as: 'admin', query: { ids: `${net.retailer._id},${net.distributor._id}` } },
    'GET credit/loadcredit': { as: 'retailer', query: { id: net.retailer._id } },
    'GET credit/distantadmin/:id': { as: 'superadmin', status: 404, params: { id: net.admin._id } },
    'GET credit/statement': { as: 'admin', query: { id: net.user._id, wallet: 'credit' } },
    'GET credit/statement/summary': {
      as: 'admin',
      query: { id: net.user._id, wallet: 'credit', startDate: FIRST, endDate: LAST },
    },
    'POST credit/commission-payout': {
      as: 'retailer',
      status: 422,
      body: { toUserId: net.user._id, amount: 10.5, password: PASSWORD, userId: net.retailer._id, note: 'March' },
    },
    'POST credit/commission-payouts': {
      as: 'retailer',
      body: {
        payouts: [{ toUserId: net.user._id, amount: 10.5 }],
        password: PASSWORD,
        userId: net.retailer._id,
        note: 'March',
      },
    },
    'POST credit/bulk-transfer': {
      as: 'retailer',
      body: {
        transfers: [{ toUserId: net.user._id, amount: 10.5 }],
        transactionType: 'credit',
        password: PASSWORD,
        userId: net.retailer._id,
        note: 'March',
      },
    },
    'POST invitations/:accountId': { as: 'admin', params: { accountId: spare('distributor', 'edit')! } },
    'POST accounts/bulk-status': { as: 'admin', body: { ids: [spare('user', 'edit')], action: 'activate' } },
    ...Object.fromEntries(
      ['check-import', 'import'].map((path) => [
        `POST accounts/${path}`,
        {
          as: 'admin' as const,
          body: {
            role: 'user',
            rows: [
              {
                username: 'imported-1',
                password: NEW_PASSWORD,
                commission: '0',
                note: 'add notes',
                reference: net.retailer.username,
                status: 'Active',
              },
            ],
            refId: net.retailer._id,
          },
        },
      ]),
    ),
    'POST accounts/bulk-daily-limit': { as: 'admin', body: { ids: [spare('retailer', 'edit')], dailyLimit: 500.5 } },
    'POST players/bulk-limit': {
      as: 'retailer',
      body: { ids: [net.user._id], limit: 'stakePerDay', value: 45_000.5, reason: 'A call' },
    },
    'GET game/usergames/:id': { as: 'admin', params: { id: net.admin._id } },
    'GET percentage/usergames/:id': { as: 'admin', params: { id: net.admin._id } },
    'PUT percentage/bulk/winpercentage/:id': {
      as: 'admin',
      params: { id: net.admin._id },
      body: { updates: [{ id: pairId, winpercentage: 95.5 }] },
    },
    'GET limits/:adminId': { as: 'admin', params: { adminId: net.admin._id } },
    'PUT limits/:adminId': {
      as: 'admin',
      params: { adminId: net.admin._id },
      body: { updates: [{ id: pairId, perNumber: 12.5, perTicket: 100, perPlayer: 500 }] },
    },
    'GET schedule/list': { as: 'superadmin' },
    'GET closures/:adminId': { as: 'admin', params: { adminId: net.admin._id } },
    'PUT closures/:adminId': {
      as: 'admin',
      params: { adminId: net.admin._id },
      body: { updates: [{ id: pairId, days: ['2026-12-25'], hours: [{ from: '01:00', to: '09:00' }] }] },
    },
    'GET beacons/:adminId': { as: 'superadmin', params: { adminId: net.admin._id } },
    'PUT beacons/:adminId': {
      as: 'superadmin',
      params: { adminId: net.admin._id },
      body: { updates: [{ id: pairId, beacons: [] }] },
    },
    'POST backup/countrecords': { as: 'admin', body: CLEARED },
    'POST backup/deleterecords': { as: 'admin', status: 422, body: CLEARED },
    'GET logs': { as: 'admin', query: { date: '2026-03-10' } },
    'GET logs/activityLogs': { as: 'admin', query: { date: '2026-03-10' } },
    'GET logs/:userId': { as: 'admin', params: { userId: net.user._id }, query: { date: '2026-03-10' } },
    'GET logs/getUserLogById/:id': { as: 'admin', params: { id: entryId } },
    'POST logs/logUserActivity': {
      as: 'user',
      status: 201,
      body: {
        subject: 'Opened the history',
        requestUrl: '/user/history',
        method: 'GET',
        userId: net.user._id,
        username: ownAccount('user'),
      },
    },
    'GET live/loadgame': { as: 'admin', query: pair },
    'GET live/result': { as: 'admin', status: 404, query: { ...pair, drawId } },
    'GET live/frequencies': { as: 'admin', query: pair },
    'GET result/lottojodicross': {
      as: 'admin',
      status: 404,
      query: { admin: net.admin._id, gameId: 'funtargetbingo' },
    },
    'POST live/addbalance': { as: 'admin', body: { ...pair, balance: 12.5, type: 'add' } },
    'POST live/addresult': {
      as: 'admin',
      body: { ...pair, result: '7', boosterValue: 2, color: '', type: '', drawId, confirm: false },
    },
    'POST live/generateresult': { as: 'admin', body: { ...pair, gameId: 'pingpong1', drawId } },
    'POST live/voiddraw': { as: 'admin', body: { ...pair, gameId: 'fruit12', reason: 'A trial', drawId } },
    'POST live/correctresult': {
      as: 'admin',
      status: 422,
      body: { ...pair, drawId, result: '7', color: '', type: '', corrects: '8', reason: 'Misread' },
    },
    'GET fair/draw/:drawId': { params: { drawId } },
    'GET fair/draw/:drawId/paper/:ticketId/:digest': {
      status: 404,
      params: { drawId, ticketId, digest: '0f'.repeat(32) },
    },
    'POST app/ticket/:ticketId/print': { as: 'user', params: { ticketId } },
    'GET fair/ticket/:ticketId': { as: 'user', params: { ticketId } },
    'POST app/bet': {
      as: 'user',
      body: {
        gameId: 'funtargetbingo',
        drawId,
        requestId: 'one',
        lines: [{ drawno: '7', head: 'number', series: '', subseries: '', qty: 2 }],
      },
    },
    'POST app/bets': {
      as: 'user',
      body: {
        bets: [
          {
            gameId: 'funtargetbingo',
            drawId,
            requestId: 'many',
            lines: [{ drawno: '7', head: 'number', series: '', subseries: '', qty: 2 }],
          },
        ],
      },
    },
    'POST app/claim': { as: 'user', status: 404, body: { ticketId: '0G7X-9K2M-41QZ' } },
    'GET app/coming': { as: 'user', query: { gameId: 'funtargetbingo' } },
    'POST app/ahead': {
      as: 'user',
      status: 422,
      body: {
        gameId: 'funtargetbingo',
        requestId: 'ahead',
        draws: [202603111300],
        lines: [{ drawno: '7', head: 'number', series: '', subseries: '', qty: 2 }],
      },
    },
    'GET app/bet/:requestId': { as: 'user', status: 404, params: { requestId: 'never sent' } },
    'GET app/state': { as: 'user', query: pair },
    'GET app/tickets': {
      as: 'user',
      query: {
        gameId: 'funtargetbingo',
        claims: 'waiting',
        status: 'won',
        startDate: FIRST,
        endDate: LAST,
        before: ticketId,
        page: '1',
        pageSize: '10',
      },
    },
    'GET app/ticket/:ticketId': { as: 'user', params: { ticketId } },
    'GET app/favorites': { as: 'user', query: { gameId: 'funtargetbingo' } },
    'PUT app/favorites': { as: 'user', body: { gameId: 'funtargetbingo', name: 'My bets', bets: '7*5' } },
    'PUT app/pins': { as: 'user', body: { gameId: 'funtargetbingo', pinned: true } },
    'DELETE app/favorites/:favoriteId': { as: 'user', status: 404, params: { favoriteId: ticketId } },
    'POST notices/mark': { as: 'admin', status: 404, body: { code: 'TABLE_LOW', key: 'none', until: null } },
    'POST auth/notices/read': { as: 'admin', body: { until: '2026-01-01T00:00:00Z' } },
    'POST notices/unmark': { as: 'admin', body: { code: 'TABLE_LOW', key: 'none' } },
    'PUT notices/thresholds': { as: 'admin', body: { tableBelow: 12.5, worstAbove: null } },
    'PUT welcome/shown': { as: 'admin', body: { shown: false } },
    'GET wall/:key': { as: 'admin', status: 404, params: { key: `dhw_${'A'.repeat(64)}` } },
    'GET app/results': { as: 'user', query: pair },
    'GET app/gettimer': { as: 'user', query: pair },
    'GET app/nextdrawnew': { as: 'user', query: pair },
    'GET reports/dashboard': { as: 'admin', query: { timeZone: 'America/Sao_Paulo' } },
    'GET reports/liability': { as: 'admin', query: { id: net.admin._id } },
    'GET reports/liability/days': { as: 'admin', query: { id: net.admin._id } },
    'GET weeks/payments': { as: 'admin', query: { accountId: net.user._id, direction: 'in', method: 'cash' } },
    'POST weeks/payments': {
      as: 'admin',
      body: { accountId: net.user._id, direction: 'in', sum: 7, method: 'cash', reference: 'R 1', note: 'For May' },
    },
    'POST weeks/payments/reverse': { as: 'admin', status: 404, body: { paymentId: net.user._id, note: 'Mistaken' } },
    'POST weeks/close': {
      as: 'admin',
      status: 422,
      body: {
        day: '2026-03-10',
        lines: [
          {
            accountId: net.superdistributor._id,
            expectedBalance: 7,
            payment: { direction: 'in', sum: 7, method: 'cash', reference: 'R 1' },
          },
        ],
        credit: 'refill',
        refillTo: 7,
        password: PASSWORD,
        userId: net.admin._id,
        note: 'Paid at the shop',
      },
    },
    'POST standing-orders': {
      as: 'admin',
      status: 201,
      body: {
        accountId: net.superdistributor._id,
        kind: 'refill',
        sum: 7,
        takeBackAt: '2026-03-10T18:00:00Z',
        clock: '06:00',
        weekdays: [1],
        measure: 'credit',
        password: PASSWORD,
        userId: net.admin._id,
      },
    },
    'POST standing-orders/:orderId/end': { as: 'admin', status: 404, params: { orderId: net.user._id } },
    'GET standing-orders': { as: 'admin', query: { accountId: net.user._id, state: 'active', kind: 'floor' } },
    'POST weeks/notes': {
      as: 'admin',
      body: { accountId: net.user._id, day: '2026-03-10', kind: 'dispute', about: 'play', note: 'Too much' },
    },
    'PUT weeks/terms': {
      as: 'admin',
      body: { accounts: [net.superdistributor._id], share: 50, commission: 'week' },
    },
    'GET weeks/sheet': { as: 'admin', query: { id: net.admin._id, day: '2026-03-10' } },
    'GET weeks/days': { as: 'admin', query: { id: net.admin._id, day: '2026-03-10' } },
    'GET onlinePlayer': { as: 'admin', query: { show: 'all' } },
    'GET reports/turn': { as: 'admin', query: { id: net.admin._id, role: 'admin' } },
    'GET reports/transactionreport': {
      as: 'admin',
      query: {
        id: net.user._id,
        role: 'user',
        currentid: net.admin._id,
        date: '2026-03-10',
        status: 'completed',
      },
    },
    'GET reports/findallusers': { as: 'admin', query: { id: net.retailer._id, role: 'retailer' } },
    'GET reports/commissionpayout': { as: 'admin', query: { id: net.admin._id, role: 'user' } },
    'GET reports/admincommissionpayout': { as: 'admin', query: { id: net.admin._id, role: 'admin' } },
  };
  for (const role of ROLES) {
    const prefix = accounts.ROLE_PREFIX[role];
    const top = role === 'superadmin';
    const as = roleAbove(role) ?? 'superadmin';
    const order = {
      toUserId: net[role]._id,
      password: PASSWORD,
      userId: net[as]._id,
      authUser: ownAccount(as),
      note: 'A gift',
    };
    table[`POST ${prefix}/create`] = {
      as,
      status: top ? 403 : 201,
      body: {
        username: `another-${role}`,
        password: PASSWORD,
        commission: 0.25,
        commissionAmount: 0.25,
        note: 'Made by hand',
        refId: net[as]._id,
        userStatus: true,
        role,
        games: ['funtargetbingo'],
        ...(role === 'admin' && { commissionCeiling: 25 }),
      },
    };
    table[`GET ${prefix}/all`] = { as, query: { id: net[as]._id, role: as } };
    table[`GET ${prefix}/:id`] = { as, params: { id: net[role]._id } };
    table[`PATCH ${prefix}/toggle-status/:userId/:action`] = {
      as,
      status: top ? 404 : 200,
      params: { userId: net[role]._id, action: 'activate' },
    };
    table[`POST ${prefix}/credit-transfer`] = { as, status: top ? 403 : 200, body: { ...order, transferAmount: 10.5 } };
    table[`POST ${prefix}/credit-adjust`] = { as, body: { ...order, adjustAmount: 10.5, transactionType: 'credit' } };
    table[`GET ${OLDER_LIST_PATH[role]}`] = { as, query: { id: net[as]._id, role: as } };
    const change = {
      password: NEW_PASSWORD,
      commission: 0.5,
      commissionCeiling: 30,
      note: 'Edited by hand',
      refId: net[as]._id,
      userStatus: true,
      games: ['funtargetbingo', 'fruit12'],
      dailyLimit: 500,
      tableLine: 1000,
      tokenSessions: true,
      factorRoles: [],
      passwordFirst: false,
      rememberDevices: false,
      testNetwork: false,
    };
    const edited = top ? 404 : role === 'admin' ? 200 : 400;
    table[`PUT ${prefix}/:id`] = {
      as,
      status: edited,
      params: { id: spare(role, 'edit') ?? net[role]._id },
      body: change,
    };
    const removed = top ? 404 : 200;
    table[`DELETE ${prefix}/:id`] = {
      as,
      status: removed,
      params: { id: spare(role, 'remove') ?? net[role]._id },
    };
    table[`DELETE ${prefix}/:id/:callerId`] = {
      as,
      status: removed,
      params: { id: spare(role, 'removeAs') ?? net[role]._id, callerId: net[as]._id },
    };
    const child = roleBelow(role);
    if (child === null) continue;
    const params = { id: net[role]._id, childId: net[child]._id };
    const gift = { ...order, toUserId: params.childId, userId: net[role]._id, authUser: ownAccount(role) };
    table[`GET ${prefix}/:id/children`] = { as: role, params: { id: params.id } };
    table[`POST ${prefix}/:id/children`] = {
      as: role,
      params: { id: params.id },
      body: {
        username: `child-${child}`,
        password: PASSWORD,
        commission: 0.25,
        commissionAmount: 0.25,
        note: 'Made by hand',
        refId: params.id,
        userStatus: true,
        role: child,
        games: ['funtargetbingo'],
        ...(child === 'admin' && { commissionCeiling: 25 }),
      },
    };
    table[`GET ${prefix}/:id/children/:childId`] = { as: role, params };
    table[`PUT ${prefix}/:id/children/:childId`] = {
      as: role,
      status: child === 'admin' ? 200 : 400,
      params: { ...params, childId: spare(child, 'edit')! },
      body: { ...change, password: `${NEW_PASSWORD} again`, refId: params.id },
    };
    table[`PATCH ${prefix}/:id/children/:childId/toggle-status/:action`] = {
      as: role,
      params: { ...params, action: 'activate' },
    };
    table[`DELETE ${prefix}/:id/children/delete/:childId`] = {
      as: role,
      params: { ...params, childId: spare(child, 'removeChild')! },
    };
    table[`POST ${prefix}/:id/children/:childId/credit-transfer`] = {
      as: role,
      params,
      body: { ...gift, transferAmount: 10.5 },
    };
    table[`POST ${prefix}/:id/children/:childId/credit-adjust`] = {
      as: role,
      params,
      body: { ...gift, adjustAmount: 10.5, transactionType: 'credit' },
    };
  }
  for (const list of LISTS) {
    const of: Example = { as: 'admin', ...table[nameOf(list.route)] };
    const query = { ...of.query, ...narrowingOf(list) };
    const page: Record<string, string> = list.paging === 'keyset' ? { after: '0' } : { page: '1' };
    table[nameOf(list.route)] = { ...of, query: { ...query, ...page, pageSize: '10' } };
    for (const { route } of list.files)
      table[nameOf(route)] = { ...of, query: { ...query, timeZone: 'America/Sao_Paulo' } };
  }
  return table;
}

async function gameExamples(): Promise<Record<string, Example>> {
  const { data: times } = await t.ok(timeList.route, {}, net.superadmin);
  const body = {
    gameName: 'Spare',
    gameDescription: 'Made by hand',
    description: 'Made by hand',
    releaseDate: '2026-03-01',
    publisher: 'Drawhouse',
    nodigit: 10,
    gameStatus: 'active' as const,
    status: 'active' as const,
    label: 'no' as const,
    timeId: [times[0]!._id],
    family: 'numbers',
    unitPrice: 0.5,
    pays: { number: 9.5 },
    resultMode: 'open' as const,
    manualClaims: 'no' as const,
  };
  const make = async (): Promise<string> => (await t.ok(addGame, { body }, net.superadmin)).data._id;
  const as = 'superadmin';
  return {
    'POST game': { as, body },
    'GET game/:id': { as, params: { id: await make() } },
    'PUT game/:id': { as, params: { id: await make() }, body: { ...body, logo: null, image: null } },
    'PUT game/:id/:action': { as, params: { id: await make(), action: 'deactivate' } },
    'DELETE game/:id': { as, params: { id: await make() } },
    'GET images/:hash': { status: 404, params: { hash: '0'.repeat(64) } },
  };
}

function narrowingOf(list: List): Record<string, string> {
  const values = ({ kind, options }: ListFilter): string[] => {
    // The last role is below every caller.
    if (kind === 'choice') return [Object.keys(options!).at(-1)!];
    if (kind === 'id') return [net.admin._id];
    return kind === 'points' ? ['0', '12.50'] : [FIRST, LAST];
  };
  return {
    ...(list.search !== undefined && { search: 'a' }),
    ...(list.sorts.length > 0 && { sort: `-${list.sorts[0]}` }),
    ...Object.fromEntries(
      list.filters.flatMap((filter) =>
        Object.keys(filter.fields).map((field, place) => [field, values(filter)[place]!]),
      ),
    ),
  };
}

const example = (route: Route): Example => examples[nameOf(route)]!;
const caller = ({ as, by }: Example): As => by ?? (as ? net[as] : {});

function urlOf(
  route: Route,
  params: Record<string, string> = {},
  query: Record<string, string | string[]> = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name]!));
  const search = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`),
  );
  return `/api/${path}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

interface Change {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string | string[]>;
  readonly text?: string;
}

/** `npm test` calls with the first fault of each field and with faults that validation misses, and validates the others. */
async function sendFault(route: Route, change: Change, isFirst: boolean): Promise<Reply<unknown>> {
  return (isWhole || isFirst ? undefined : validate(route, change)) ?? (await sendExample(route, change));
}

function validate(route: Route, change: Change): Reply<unknown> | undefined {
  const { params, query, body } = example(route);
  try {
    validatorOf(route)({
      params: { ...params, ...change.params },
      query: change.query ?? query,
      body: change.text === undefined ? body : parseJsonBody(change.text, route.matches),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { status: error.status, body: error.toRefusal() as never, headers: {} };
  }
}

function sendExample(route: Route, change: Change = {}): Promise<Reply<unknown>> {
  const { params, query, body } = example(route);
  const url = urlOf(route, { ...params, ...change.params }, change.query ?? query);
  return t.send(route.method, url, caller(example(route)), change.text ?? body);
}

/** Errors must match the contract and reveal no internals. */
function expectFailure(reply: Reply<unknown>, label: string): void {
  expect(reply.body, `at ${label}`).toMatchObject({
    success: false,
    code: expect.any(String),
    message: expect.any(String),
  });
  expect((ERRORS as Record<string, { status: number }>)[String(reply.body.code)]?.status, `at ${label}`).toBe(
    reply.status,
  );
  expect(reply.status, `at ${label}`).toBeGreaterThanOrEqual(400);
  expect(reply.status, `at ${label}`).toBeLessThan(500);
  expect(JSON.stringify(reply.body), `at ${label}`).not.toMatch(
    /\bat .*\.[jt]s:\d|node_modules|select .* from|syntax for type/i,
  );
}

function expectNamed(reply: Reply<unknown>, field: string, label: string): void {
  expectFailure(reply, label);
  expect(reply.status, `at ${label}`).toBe(400);
  if (reply.body.code === 'INVALID_JSON') expect(reply.body.message, `at ${label}`).toContain('not valid JSON');
  else {
    expect(Object.keys(reply.body.fields ?? {}), `at ${label}`).toContain(field);
    expect(reply.body.message, `at ${label}`).toContain(reply.body.fields![field]);
    expect(reply.body.message, `at ${label}`).not.toContain(`${field}: `);
  }
}

/** Fields compared with known names accept any text; impossible names are not found. */
function expectNamedOrUnknown(
  reply: Reply<unknown>,
  { matches }: Route,
  { field, given, label }: { readonly field: string; readonly given: unknown; readonly label: string },
): void {
  const ofTicket = refusedTicket(reply);
  if (ofTicket) return expectNamed(ofTicket, field.replace(/^bets\.0\./, ''), label);
  const isUnknown =
    field === matches && typeof given === 'string' && given !== '' && (given.includes('\0') || !given.isWellFormed());
  if (!isUnknown) return expectNamed(reply, field, label);
  expectFailure(reply, label);
  expect(reply.body.code, `at ${label}`).toBe('NOT_FOUND');
}

function refusedTicket({ body, ...rest }: Reply<unknown>): Reply<unknown> | undefined {
  const [answer] = (body as { answers?: { success: boolean; code?: keyof typeof ERRORS }[] }).answers ?? [];
  if (answer?.code === undefined) return undefined;
  return { ...rest, status: ERRORS[answer.code].status, body: answer } as Reply<unknown>;
}

function valueOf(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}

interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: string[];
  const?: string;
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  minItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}

type Fault = string | undefined;

const text = (value: unknown): string => JSON.stringify(value);
const NOT_TEXT = ['null', '5', 'true', '{}', '["x"]'];
const BROKEN_TEXT = [String.raw`"a\u0000b"`, String.raw`"\u0000"`, String.raw`"\ud800"`];
const NOT_NUMBER = [
  'null',
  '"abc"',
  '"5"',
  '""',
  'true',
  '{}',
  '[5]',
  'NaN',
  '-NaN',
  'Infinity',
  '0x10',
  '01',
  '1.',
  '.5',
  '+1',
];
const UNSAFE_NUMBER = ['1e3', '1E3', '1e-1', '1e400', '-1e400', '9007199254740993', '1.00000000000000000001', '-0'];

/** New number schemas need a line. */
const WRONG_NUMBERS: Record<string, string[]> = {
  timecount: ['4', '4.5', '5.5', '86401'],
  weekdays: ['-1', '7', '1.5'],
  draws: ['-1', '1', '202601311300.5', '1e300'],
  closesBefore: ['-1', '721', '0.5'],
  voidAfter: ['0', '-1', '169', '0.5'],
  transferAmount: ['1.005', '-1', '0', '0.001', '90071992547410', '-0.01'],
  adminCredit: ['1.005', '-1', '0', '0.001', '90071992547410'],
  playerCredit: ['1.005', '-1', '0', '0.001', '90071992547410'],
  adjustAmount: ['1.005', '-1', '0', '0.99', '90071992547410'],
  balance: ['1.005', '-1', '0', '0.001', '90071992547410'],
  commission: ['1.005', '-1', '100.01', '101', '-0.01'],
  commissionAmount: ['1.005', '-1', '100.01', '101', '-0.01'],
  commissionCeiling: ['1.005', '-1', '100.01', '101', '-0.01'],
  sum: ['1.005', '-1', '0', '0.001', '90071992547410'],
  refillTo: ['1.005', '-1', '0', '0.001', '90071992547410'],
  expectedBalance: ['1.005', '90071992547410', '-0.001'],
  amount: ['1.005', '-1', '0', '0.001', '90071992547410'],
  qty: ['0', '-1', '1.5', '1000001', '0.5'],
  winpercentage: ['0.01', '0.99', '-95', '95.005', '1800.01', '90071992547410'],
};
const WRONG_DAYS = ['null', 'true', '7', '{}', '""', '"today"', '"2026-02-30"', '"2026-03-01T00:00"', '["2026-03-01"]'];
const WRONG_EITHER: Record<string, string[]> = {
  above: ['true', '"5"', '{}', '[]', '1.005', '-1', '90071992547410'],
  color: ['true', '7', '{}', '[]', '"red"', '"#fff"', '"#aa33001"'],
  gamblingHelp: ['true', '7', '{}', '"{"', '"7"'],
  username: ['null', 'true', '7', '[]'],
  startDate: WRONG_DAYS,
  endDate: WRONG_DAYS,
  result: [
    'null',
    'true',
    '{}',
    '[7]',
    '""',
    '" "',
    '"abc"',
    '"10"',
    '10',
    '-1',
    '7.5',
    '"7.0"',
    '"07"',
    '" 7"',
    '"7e0"',
  ],
  boosterValue: [
    'true',
    '{}',
    '[2]',
    '" "',
    '"abc"',
    '0',
    '21',
    '-1',
    '1.5',
    '"21"',
    '"1e1"',
    '"0x2"',
    '" 2"',
    '"2.0"',
    '"+2"',
  ],
  authUser: ['null', 'true', '5', '[]', '{"_id":5}', '{"role":["admin"]}'],
  nodigit: ['null', 'true', '{}', '[7]', '""', '"abc"', '"1e1"', '" 7"', '0', '-1', '1.5', '"0"', '1001'],
  unitPrice: ['null', 'true', '{}', '[7]', '""', '"abc"', '0', '-1', '1.005', '"0.001"', '100.01', '90071992547410'],
  pays: ['true', '5', '[]', '[9]', '"x"', '"[]"', '"9"', '{"number":"9"}'],
  timeId: ['null', 'true', '5', '{}', '[]', '""', '"x"', text(UNKNOWN_ID)],
  logo: ['true', '5', '{}', '[]', '"x"'],
  image: ['true', '5', '{}', '[]', '"x"'],
  hours: ['5', 'true', '[]', '""'],
  share: ['true', '"5"', '{}', '[]', '1.005', '-1', '100.01', '101', '-0.01'],
  opensAt: ['true', '7', '{}', '""', '"7:00"', '"24:00"'],
  dailyLimit: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '90071992547410'],
  tableLine: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '90071992547410'],
  creditPerDay: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '0', '90071992547410'],
  expiresAt: ['true', '7', '{}', '""', '"tomorrow"', '"2026-03-01"'],
  stakePerDay: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '0', '90071992547410'],
  ticketsPerMinute: ['"5"', 'true', '{}', '[5]', '1.5', '-1', '0', '10000001'],
  value: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '0', '90071992547410'],
  tableBelow: ['"500"', 'true', '{}', '[5]', '1.005', '90071992547410'],
  worstAbove: ['"500"', 'true', '{}', '[5]', '1.005', '90071992547410'],
  until: ['true', '7', '{}', '""', '"tomorrow"', '"2026-03-01"'],
  perNumber: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '0', '90071992547410'],
  perTicket: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '0', '90071992547410'],
  perPlayer: ['"500"', 'true', '{}', '[5]', '1.005', '-1', '0', '90071992547410'],
  drawno: [
    'null',
    'true',
    '{}',
    '[7]',
    '""',
    '"abc"',
    '"10"',
    '10',
    '-1',
    '7.5',
    '"7.0"',
    '"07"',
    text('7'.repeat(17)),
  ],
};

function inOtherCase(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();
}

function faultsOf(name: string, schema: Schema, required: boolean): Fault[] {
  const missing = required ? [undefined] : [];
  if (schema.anyOf || Array.isArray(schema.type))
    return [...missing, ...UNSAFE_NUMBER, ...BROKEN_TEXT, ...WRONG_EITHER[name]!];
  switch (schema.type) {
    case 'string': {
      const other =
        schema.const !== undefined || schema.enum
          ? ['"another"', '""', text(inOtherCase(schema.const ?? schema.enum![0]!))]
          : [];
      const id =
        schema.format === 'uuid'
          ? ['"x"', '""', text(`${UNKNOWN_ID}0`), text(UNKNOWN_ID.replaceAll('-', '')), text(`{${UNKNOWN_ID}}`)]
          : [];
      const long = schema.maxLength === undefined ? [] : [text('x'.repeat(schema.maxLength + 1))];
      const empty = schema.minLength ? ['""'] : [];
      return [...missing, ...NOT_TEXT, ...BROKEN_TEXT, ...other, ...id, ...long, ...empty];
    }
    case 'number':
      return [...missing, ...NOT_NUMBER, ...UNSAFE_NUMBER, ...WRONG_NUMBERS[name]!];
    case 'boolean':
      return [...missing, 'null', '"true"', '""', '1', '0', '{}', '[true]'];
    case 'array':
      return [
        ...missing,
        'null',
        '"x"',
        '5',
        'true',
        '{}',
        '{"0":1,"length":1}',
        ...(schema.minItems ? ['[]'] : []),
        ...(schema.maxItems ? [`[${Array.from({ length: schema.maxItems + 1 }, () => '"x"').join()}]`] : []),
      ];
    case 'object':
      return [...missing, 'null', '"x"', '5', 'true', '[]'];
    default:
      // Any text is valid except what PostgreSQL cannot store.
      return ['1e3', '9007199254740993', ...BROKEN_TEXT];
  }
}

function* fieldFaults(schema: Schema, path: string[] = []): Generator<{ path: string[]; fault: Fault }> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const inside = [...path, name];
    for (const fault of faultsOf(name, field, schema.required?.includes(name) ?? false)) yield { path: inside, fault };
    if (field.properties) yield* fieldFaults(field, inside);
    if (field.items) {
      for (const fault of faultsOf(name, field.items, false)) yield { path: [...inside, '0'], fault };
      yield* fieldFaults(field.items, [...inside, '0']);
    }
  }
}

const PLACE = '@@the fault goes here@@';

function broken(body: Record<string, unknown>, path: readonly string[], fault: Fault): string {
  const copy = structuredClone(body);
  let holder = copy;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  if (fault === undefined) delete holder[path.at(-1)!];
  else holder[path.at(-1)!] = PLACE;
  return JSON.stringify(copy).replace(JSON.stringify(PLACE), () => fault!);
}

const WRONG_QUERIES: Record<string, string[]> = {
  page: ['0', '-1', '1.5', '1e3', 'abc', ' 1', '0x1', '1000001', '9007199254740993', 'NaN'],
  pageSize: ['0', '-1', '1.5', '1e2', 'abc', '501', '9007199254740993'],
  startDate: [
    '0000-01-01T00:00:00Z',
    'nonsense',
    '2026-02-31T00:00:00.000Z',
    '2026-03-01',
    '01/03/2026',
    '2026-03-01T25:00:00.000Z',
    '1772323200000',
  ],
  endDate: [
    'nonsense',
    '2026-02-31T00:00:00.000Z',
    '2026-03-01',
    '2026-03-01T00:00:00.000',
    '2026-02-28T00:00:00.000Z',
  ],
  date: [
    'nonsense',
    '2026-02-31',
    '2026-13-01',
    '10-03-2026',
    '2026-3-1',
    '20260310',
    '2026-03-10T00:00:00',
    '0000-01-01',
    '0000-01-01T00:00:00.000Z',
  ],
  sort: ['--username', 'user name', 'username;drop', 'username,role', '-'],
};

async function everything(): Promise<unknown> {
  return {
    wallets: await t.db.query('select network_id, id, balance from wallets order by 1, 2'),
    accounts: await t.db.query('select id, active, commission, note, password_hash from accounts order by 1'),
    catalogue: await t.db.query('select id, name, family, digits, status, unit_price, labelled from games order by 1'),
    draws: await t.db.query('select id, status, saved_result, saved_booster from draws order by 1'),
    games: await t.db.query('select * from network_games order by network_id, game_id'),
    counts: await t.db.query(
      `select (select count(*) from transfers) as transfers, (select count(*) from tickets) as tickets,
              (select count(*) from network_games) as games, (select count(*) from idempotency_keys) as keys,
              (select count(*) from sessions) as sessions, (select count(*) from activity) as activity`,
    ),
  };
}

describe('every field with every kind of wrong value', () => {
  let before: unknown;
  beforeAll(async () => {
    before = await everything();
  });

  it('has a valid example of every route with input', () => {
    expect(Object.keys(examples).sort()).toEqual(WITH_INPUT.map(nameOf).sort());
    for (const route of WITH_INPUT) {
      const { params = {}, query = {}, body = {} } = example(route);
      expect(Object.keys(params), `at ${nameOf(route)}`).toEqual(Object.keys(route.params ?? {}));
      const fields = (schema: Route['body']) =>
        Object.keys((schema ? (jsonSchemaOf(schema, 'input') as Schema) : {}).properties ?? {}).sort();
      const together = fields(route.query).filter((field) => !/^(page|before)$/.test(field) || !('after' in query));
      expect(Object.keys(query).sort(), `at ${nameOf(route)}`).toEqual(together);
      expect(Object.keys(body).sort(), `at ${nameOf(route)}`).toEqual(fields(route.body));
    }
  });

  it.each(SENT.filter((route) => route.body).map((route) => [nameOf(route), route] as const))(
    '%s: body',
    async (name, route) => {
      const { body } = example(route);
      const called = new Set<string>();
      let tried = 0;
      for (const { path, fault } of fieldFaults(jsonSchemaOf(route.body!, 'input'))) {
        const field = path.join('.');
        // Its draws judge outcomes, and the example's game has none ahead.
        if (name === 'POST app/ahead' && field.endsWith('drawno') && /^["\d-]/.test(fault ?? '')) continue;
        const isFirst = !called.has(field);
        called.add(field);
        const reply = await sendFault(route, { text: broken(body!, path, fault) }, isFirst);
        const label = `${name}: ${field} = ${fault?.slice(0, 40) ?? '(left out)'}`;
        expectNamedOrUnknown(reply, route, { field, given: valueOf(fault), label });
        tried++;
      }
      expect(tried).toBeGreaterThan(7);
    },
  );

  it.each(SENT.filter((route) => route.query).map((route) => [nameOf(route), route] as const))(
    '%s: query',
    async (name, route) => {
      const { query = {} } = example(route);
      const schema = jsonSchemaOf(route.query!, 'input') as Schema;
      for (const [field, { format, maxLength }] of Object.entries(schema.properties!)) {
        const faults: (string | string[] | undefined)[] = [
          'a\0b',
          '\0',
          [query[field]!, query[field]!],
          ...(schema.required?.includes(field) ? [undefined, ''] : []),
          ...(format === 'uuid' ? ['x', `${UNKNOWN_ID}0`, `${UNKNOWN_ID}'--`] : []),
          ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
          ...(WRONG_QUERIES[field] ?? []),
        ];
        for (const [nth, fault] of faults.entries()) {
          const { [field]: _, ...rest } = query;
          const changed = fault === undefined ? rest : { ...rest, [field]: fault };
          const reply = await sendFault(route, { query: changed }, nth === 0);
          const label = `${name}: ${field} = ${text(fault) ?? '(left out)'}`;
          expectNamedOrUnknown(reply, route, { field, given: fault, label });
        }
      }
    },
  );

  it.each(SENT.filter((route) => route.query && READS.includes(route)).map((route) => [nameOf(route), route] as const))(
    '%s: empty query fields equal omitted ones',
    async (name, route) => {
      const { query = {} } = example(route);
      const { properties = {}, required = [] } = jsonSchemaOf(route.query!, 'input') as Schema;
      const needed = Object.fromEntries(Object.entries(query).filter(([field]) => required.includes(field)));
      const fields = [...Object.keys(properties), 'page', 'before', 'after', 'sort'];
      const empty = Object.fromEntries(fields.map((field) => [field, '']));
      const [without, emptied] = [
        await sendExample(route, { query: needed }),
        await sendExample(route, { query: { ...empty, ...needed } }),
      ];
      const told = without.status === 200 ? without.body : { ...without.body, requestId: expect.any(String) };
      expect([emptied.status, emptied.body], `at ${name}`).toEqual([without.status, told]);
      expect(without.status, `at ${name}`).toBe(example(route).status ?? 200);
    },
  );

  it.each(SENT.filter((route) => route.params).map((route) => [nameOf(route), route] as const))(
    '%s: path',
    async (name, route) => {
      for (const field of Object.keys(route.params!)) {
        const faults = ['x', 'null', 'undefined', '0', `${UNKNOWN_ID}0`, "' or 1=1--", '\0', 'a\0b', '{}', '😀'];
        for (const [nth, fault] of faults.entries()) {
          const reply = await sendFault(route, { params: { [field]: fault } }, nth === 0);
          const label = `${name}: ${field} = ${fault}`;
          if (field === 'requestId' && !fault.includes('\0')) expect(reply.body.code, `at ${label}`).toBe('NOT_PLACED');
          else expectNamed(reply, field, label);
        }
      }
    },
  );

  it('names all wrong fields of a call together', async () => {
    const reply = await t.send('POST', '/api/app/bet', net.user, '{"lines":[{"drawno":"1","qty":0},{"qty":1}]}');
    expect(Object.keys(reply.body.fields!).sort()).toEqual(['gameId', 'lines.0.qty', 'lines.1.drawno', 'requestId']);
  });

  it('refuses sorting by unknown fields, and missing games', async () => {
    for (const sort of ['password', 'constructor', '-passwordHash'])
      expectNamed(await t.send('GET', `/api/admins/all?sort=${sort}`, net.superadmin), 'sort', sort);
    expectNamed(await t.send('GET', '/api/logs?sort=username', net.superadmin), 'sort', 'username');
    const body = { ...examples['POST admins/create']!.body, games: ['funtargetbingo', 'nosuchgame'] };
    expectNamed(await t.send('POST', '/api/admins/create', net.superadmin, body), 'games', 'an unknown game');
  });

  it.each([
    ['0000-01-01T00:00:00.000Z', '0000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reports from %s to %s, or explains the refusal', async (startDate, endDate) => {
    const reply = await t.send('GET', `/api/reports/turn?startDate=${startDate}&endDate=${endDate}`, net.admin);
    if (!reply.body.success) expectFailure(reply, startDate);
    else expect(reply.body).toMatchObject({ summary: { totalPlayPoints: 0 } });
  });

  it.each(['', 'x'.repeat(201)])('refuses the Idempotency-Key "%s"', async (key) => {
    const { body } = examples['POST users/credit-transfer']!;
    const reply = await t.send('POST', '/api/users/credit-transfer', net.retailer, body, { 'idempotency-key': key });
    expectNamed(reply, 'Idempotency-Key', key);
  });

  describe('a field naming another caller', () => {
    const CLAIMING = WITH_INPUT.filter((route) => identityFieldsOf(route).length > 0);
    /** Identify the caller, in specification and API notes; `id` only where the contract says so. */
    const CALLERS = /^(userId|authUser|callerId|currentrole|role)$/;
    const NOT_CALLERS = [
      ...ROLES.flatMap((role) => [
        `POST ${accounts.ROLE_PREFIX[role]}/create: role`,
        `POST ${accounts.ROLE_PREFIX[role]}/:id/children: role`,
        `PATCH ${accounts.ROLE_PREFIX[role]}/toggle-status/:userId/:action: userId`,
      ]),
      'GET app/logout: role',
      'POST accounts/import: role',
      'POST logins: role',
      'PUT logins/:number: role',
      'POST accounts/check-import: role',
      'GET logs/:userId: userId',
      'GET reports/findallusers: role',
      ...['', '/xlsx', '/csv'].flatMap((file) =>
        ['turn', 'commissionpayout', 'admincommissionpayout', 'transactionreport'].map(
          (report) => `GET reports/${report}${file}: role`,
        ),
      ),
      ...['', '/xlsx', '/csv'].map((file) => `GET history/gamehistory${file}: userId`),
    ];

    it('is recognized in every call', () => {
      const unmarked = WITH_INPUT.flatMap((route) => {
        const marked = identityFieldsOf(route).map(({ field }) => field);
        const { params = {}, query = {}, body = {} } = example(route);
        return Object.keys({ ...params, ...query, ...body })
          .filter((field) => CALLERS.test(field) && !marked.includes(field))
          .map((field) => `${nameOf(route)}: ${field}`);
      });
      expect(unmarked.filter((field) => !NOT_CALLERS.includes(field))).toEqual([]);
      expect(CLAIMING.length).toBeGreaterThan(40);
      for (const route of CLAIMING) expect(route.errors, `at ${nameOf(route)}`).toContain('IDENTITY_MISMATCH');
    });

    it.each(eachNth(6, CLAIMING).map((route) => [nameOf(route), route] as const))(
      '%s is refused',
      async (name, route) => {
        const own = example(route);
        const other = ROLES.find((role) => role !== own.as)!;
        const foreign = {
          id: [UNKNOWN_ID, net[other]._id],
          role: [other, 'nobody', ''],
          account: [
            net[other]._id,
            net[other].username,
            '',
            ownAccount(other),
            { ...ownAccount(own.as!), _id: UNKNOWN_ID },
            { ...ownAccount(own.as!), role: other },
            { ...ownAccount(own.as!), username: net[other].username },
            { id: net[other]._id },
          ],
        };
        for (const { part, field, claim } of identityFieldsOf(route))
          for (const value of foreign[claim]) {
            if (value === '' && part === 'query') continue;
            const changed = { ...own[part], [field]: value };
            const reply = await sendExample(
              route,
              part === 'body' ? { text: JSON.stringify(changed) } : { [part]: changed },
            );
            expect(reply, `${name}: ${field} = ${text(value)}`).toMatchObject({
              status: 403,
              body: { code: 'IDENTITY_MISMATCH', fields: { [field]: expect.any(String) } },
            });
          }
      },
    );

    it.each(['GET app/logout', 'GET reports/turn', 'GET reports/admincommissionpayout'])(
      '%s: the role of no one concerned is refused',
      async (name) => {
        const route = WITH_INPUT.find((each) => nameOf(each) === name)!;
        for (const role of ['superadmin', 'nobody']) {
          const reply = await sendExample(route, { query: { ...example(route).query, role } });
          expect(reply, `role = ${role}`).toMatchObject({ status: 403, body: { code: 'IDENTITY_MISMATCH' } });
        }
      },
    );
  });

  it('changes nothing', async () => {
    expect(await everything()).toEqual(before);
    await t.expectBooksToBalance();
  });
});

describe('an invalid body', () => {
  const withBody = SENT.filter((route) => route.body).map((route) => [nameOf(route), route] as const);

  it.each(withBody)('%s: broken, empty, or not an object', async (name, route) => {
    for (const wrong of [
      '{',
      '{"a":1,}',
      'null',
      '[]',
      '[{}]',
      '5',
      '"text"',
      'true',
      'undefined',
      ' ',
      '{}}',
      '\u{feff}{}',
      '1e3',
      '{"a":"\n"}',
    ]) {
      const reply = await sendExample(route, { text: wrong });
      expectFailure(reply, `${name}: ${wrong}`);
      expect(reply.status).toBe(400);
    }
    const { method } = route;
    const url = urlOf(route, example(route).params);
    expectNamed(await t.send(method, url, caller(example(route)), ''), 'body', `${name}: an empty body`);
    expectNamed(await t.send(method, url, caller(example(route))), 'body', `${name}: no body`);
  });

  it.each(withBody)('%s: too large, or not JSON', async (name, route) => {
    const large = await sendExample(route, { text: `{"note":"${'x'.repeat(2 * 1024 * 1024)}"}` });
    expect(large, `at ${name}`).toMatchObject({ status: 413, body: { success: false, code: 'BODY_TOO_LARGE' } });
    const body = JSON.stringify(example(route).body);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'nonsense',
      'application/jsonx',
    ]) {
      const url = urlOf(route, example(route).params);
      const reply = await t.send(route.method, url, caller(example(route)), body, { 'content-type': type });
      const isForm = route.files !== undefined && type.startsWith('multipart');
      expect(reply, `${name}: ${type}`).toMatchObject({
        status: isForm ? 400 : 415,
        body: { success: false, code: isForm ? 'INVALID_INPUT' : 'UNSUPPORTED_MEDIA_TYPE' },
      });
    }
  });

  it('reports where JSON is broken', async () => {
    const reply = await t.send('POST', '/api/app/bet', net.user, '{"gameId":"funtargetbingo","lines":[NaN]}');
    expect(reply.body).toMatchObject({
      code: 'INVALID_JSON',
      message: expect.stringMatching(/not valid JSON: .*'?N'?/),
    });
  });

  it('is refused at any nesting depth', async () => {
    const depth = 200_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const wrong of [
      deep,
      `{"lines":${deep}}`,
      `{"gameId":${deep}}`,
      `${'{"a":'.repeat(depth)}1e3${'}'.repeat(depth)}`,
    ])
      expectFailure(await t.send('POST', '/api/app/bet', net.user, wrong), 'a deep body');
  });

  it('may contain unknown fields, which are ignored', async () => {
    const { body } = examples['POST retailers/credit-transfer']!;
    const order = JSON.stringify({
      ...body,
      transferAmount: 1,
      amount: 500,
      role: 'superadmin',
      transferamount: 700,
      fields: {},
    });
    const withProto = order.replace(
      /^\{/,
      '{"__proto__":{"transferAmount":900,"success":true},"constructor":{"prototype":{"polluted":true}},',
    );
    const was = await t.credit(net.retailer);
    const reply = await t.send('POST', '/api/retailers/credit-transfer', net.distributor, withProto);
    expect(reply.body).toMatchObject({ success: true, receiverWallet: was + 1 });
    expect({}).not.toHaveProperty('polluted');
  });

  it('gains nothing by __proto__ for a missing field', async () => {
    const reply = await t.send(
      'POST',
      '/api/auth/login',
      {},
      `{"__proto__":{"username":"superadmin"},"password":"${PASSWORD}"}`,
    );
    expectNamed(reply, 'username', 'a field of the prototype');
  });
});

describe('an invalid request', () => {
  it.each(['/api/%', '/api/%E0%A4%A', '/api/users/%00', '/api/users/..%2f..%2fetc', '/api//users//all'])(
    "answers %s in the contract's form",
    async (url) => {
      expectFailure(await t.send('GET', url, net.admin), url);
    },
  );

  it("answers an endless path in the contract's form", async () => {
    expectFailure(await t.send('GET', `/api/users/${'x'.repeat(5000)}`, net.admin), 'an endless path');
  });

  it.each(['Bearer', 'Bearer x', 'Basic c3VwZXJhZG1pbjp4', 'Bearer \u00ff', `Bearer ${'x'.repeat(4000)}`, ''])(
    'does not sign in by "%s"',
    async (authorization) => {
      const reply = await t.send('GET', '/api/auth/session', {}, undefined, { authorization });
      expectFailure(reply, authorization);
      expect(reply.status).toBe(401);
    },
  );

  it('distinguishes a wrong call from a forbidden one only for allowed callers', async () => {
    for (const route of WITH_INPUT.filter(({ access }) => access !== 'public')) {
      const reply = await t.send(route.method, urlOf(route, { ...example(route).params }), {}, route.body && '{}');
      expect(reply.status, `at ${nameOf(route)}`).toBe(401);
      expect(reply.body.fields, `at ${nameOf(route)}`).toBeUndefined();
    }
  });
});

describe('the examples', () => {
  it('are refused without elevation if sensitive', async () => {
    const sensitive = WITH_INPUT.filter(needsElevation);
    for (const route of sensitive) {
      const { as, by = net[as!], ...input } = example(route);
      const reply = await t.call(route, input as never, { token: by.token! });
      expect({ name: nameOf(route), code: reply.body.code }).toEqual({ name: nameOf(route), code: 'CONFIRM_PASSWORD' });
    }
  });

  it('are valid', async () => {
    for (const [name, gameId] of [
      ['POST live/generateresult', 'pingpong1'],
      ['POST live/voiddraw', 'fruit12'],
    ] as const) {
      const { draw } = await t.ok(playerState, { query: { gameId } }, net.user);
      examples[name]!.body!['drawId'] = draw!._id;
    }
    // Bets need the open draw, and a password change ends the other session.
    const first = ['POST app/bet', 'POST app/bets', 'DELETE auth/sessions/:sessionId'];
    const rank = (route: Route): number => (first.indexOf(nameOf(route)) + 1 || 4) - 1;
    for (const route of SENT.toSorted((a, b) => rank(a) - rank(b))) {
      const reply = await sendExample(route);
      expect({ name: nameOf(route), status: reply.status, body: reply.body }).toMatchObject({
        name: nameOf(route),
        status: example(route).status ?? route.status ?? 200,
      });
      if (reply.status < 400 && route.file === undefined)
        expect(route.response.safeParse(reply.body).error?.issues, `at ${nameOf(route)}`).toBeUndefined();
    }
    await t.expectBooksToBalance();
  });
});

describe('arbitrary input', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  );
  const anyValue = fc.oneof(
    anyText,
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(0, 1, 7, 0.01, 100),
    fc.jsonValue({ stringUnit: 'binary' }),
  );

  it.each(SENT.filter((route) => route.body).map((route) => [nameOf(route), route] as const))(
    '%s answers with success or a named refusal, and the books balance',
    async (name, route) => {
      const { body } = example(route);
      const changed = fc
        .tuple(fc.constantFrom(...Object.keys(body!)), anyValue)
        .map(([field, value]) => ({ ...body, [field]: value }));
      await fc.assert(
        fc.asyncProperty(changed, async (sent) => {
          const reply = await sendExample(route, { text: JSON.stringify(sent) });
          if (reply.body.success) expect(reply.status, `at ${name}`).toBe(route.status ?? 200);
          else expectFailure(reply, name);
        }),
        { numRuns: runsOf(25) },
      );
    },
  );

  it('leaves the books balanced', () => t.expectBooksToBalance());
});

async function timeExamples(): Promise<Record<string, Example>> {
  const as = 'superadmin' as const;
  const make = async (timecount: number): Promise<string> =>
    (await t.ok(addTime, { body: { timecount } }, net.superadmin)).data._id;
  const [changed, deleted] = [await make(70), await make(71)];
  const scheduleNamed = (name: string) => ({
    name,
    times: ['13:00'],
    weekdays: [1],
    daysOff: ['2026-12-25'],
    daysOn: ['2026-12-27'],
    opensAt: '09:00',
    closesBefore: 5,
    sources: { '13:00': 'National' },
    voidAfter: 24,
    games: [],
  });
  const plan = async (name: string): Promise<string> =>
    (await t.ok(addSchedule, { body: scheduleNamed(name) }, net.superadmin)).data._id;
  const [kept, unused] = [await plan('Kept'), await plan('Unused')];
  return {
    'GET time/:id': { as, params: { id: changed } },
    'POST time': { as, body: { timecount: 77 } },
    'PUT time/:id': { as, params: { id: changed }, body: { timecount: 78 } },
    'DELETE time/:id': { as, params: { id: deleted } },
    'GET schedule/:id': { as, params: { id: kept } },
    'POST schedule': { as, body: scheduleNamed('Third') },
    'PUT schedule/:id': { as, params: { id: kept }, body: scheduleNamed('Kept') },
    'DELETE schedule/:id': { as, params: { id: unused } },
  };
}
