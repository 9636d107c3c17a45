import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { AdminGame, Game } from '@drawhouse/contract/games/games';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { TIME_SECONDS } from '@drawhouse/contract/games/times';
import { expect, test } from '@playwright/test';
import { changeAsSystem } from '../../server/test/tampering/change-as-system.ts';
import { moveDraws } from '../../server/test/worlds/move-draws.ts';
import { ask } from '../../server/test/test-databases.ts';
import { chooseOwnPassword, FIRST_PASSWORD } from '../../server/test/processes/network-by-calls.ts';
import { callApi, PASSWORD, startTestServer, type BeginsWith, type TestServer } from './support.ts';
import { testRun } from './testRun.ts';

/** Each below the previous, with credit passed down. */
export interface Network {
  readonly accounts: Readonly<Record<Role, AuthUser>>;
  readonly pair: AdminGame;
}

const NETWORK_GAME = 'lottery3d';

export function nameOf(role: Role): string {
  return role === 'superadmin' ? 'superadmin' : `the-${role}`;
}

/** Options: {@link startTestServer}. */
export function serveNetwork(
  name: string,
  give: (server: TestServer, network: Network) => void,
  beginsWith?: BeginsWith,
): void {
  let server: TestServer;
  test.beforeAll(async () => {
    server = await startTestServer(name, beginsWith);
    give(server, await makeNetwork(server.url));
  });
  test.afterAll(() => server.remove());
}

/** Upper bound on a slow machine. */
const LONGEST_RUN_MS = 6 * 3_600_000;

/** Finds the largest interval up to `most` seconds without a boundary during the run. */
function longDrawSeconds(most: number): number {
  const leftMs = most * 1000 - (Date.now() % (most * 1000));
  return leftMs > LONGEST_RUN_MS ? most : longDrawSeconds(most - 1);
}

/** A day, or slightly less if a boundary is near. */
export const LONG_DRAW_SECONDS = longDrawSeconds(TIME_SECONDS.max);
export const OTHER_LONG_DRAW_SECONDS = longDrawSeconds(LONG_DRAW_SECONDS - 1);
export const THIRD_LONG_DRAW_SECONDS = longDrawSeconds(OTHER_LONG_DRAW_SECONDS - 1);

/** Call before any admin has the game. Affects all games with the same interval. */
export function setDrawInterval(
  { ownerUrl }: Pick<TestServer, 'ownerUrl'>,
  game: string,
  seconds: number,
): Promise<void> {
  return changeAsSystem(ownerUrl!, [
    `update times set seconds = ${seconds}
     where id = (select time_id from game_times gt join games g on g.id = gt.game_id where g.game_key = '${game}')`,
  ]);
}

/** Use this for test files that never wait for a draw. */
export const LONG_DRAWS: BeginsWith = {
  prepare: (database) => setDrawInterval(database, NETWORK_GAME, LONG_DRAW_SECONDS),
};

export function drawNow({ ownerUrl }: TestServer, game: string): Promise<void> {
  const times = { closesAt: 'least(closes_at, now())', drawsAt: 'now()' };
  return moveDraws(ownerUrl!, testRun().seedKey, { game, states: ['open', 'closed'], ...times });
}

export function drawInHours({ ownerUrl }: TestServer, game: string): Promise<void> {
  const times = { closesAt: "now() + interval '20 hours'", drawsAt: "now() + interval '20 hours 5 seconds'" };
  return moveDraws(ownerUrl!, testRun().seedKey, { game, states: ['open'], ...times });
}

/** Backdates passwords by over a week. The creator of an account or login then counts as its second person. */
export function passwordsSetLongAgo({ ownerUrl }: TestServer): Promise<void> {
  const older = "password_set_at = password_set_at - interval '8 days'";
  return ask(ownerUrl!, `update accounts set ${older}; update logins set ${older}`);
}

/** Backdates transfers by three days and closes the books of nine, in the server's time zone, so that they can be cleared. */
export function transfersDaysAgo({ ownerUrl }: TestServer): Promise<void> {
  return ask(
    ownerUrl!,
    `update transfers set at = at - interval '3 days';
    insert into liability_days (network_id, day, player_credit, staff_credit, escrow, winnings, commission, tables, outside)
    select n.id, (now() at time zone '${process.env['TZ']!}')::date - i, 0, 0, 0, 0, 0, 0, 0 from networks n,
    generate_series(1, 9) as i on conflict do nothing`,
  );
}

const VARIABLE = 'TEST_NETWORK';

export async function handOverNetwork(url: string): Promise<void> {
  process.env[VARIABLE] = JSON.stringify(await createNetwork(url));
}

/** Waits for the first draw. Calls the API if the database has no network. */
export async function makeNetwork(url: string): Promise<Network> {
  const { token, user } = await login(url, 'superadmin');
  const copied = JSON.parse(process.env[VARIABLE]!) as Network;
  const network = copied.accounts.superadmin._id === user._id ? copied : await createNetwork(url);
  await drawOpens(url, token, network.pair);
  return network;
}

function drawOpens(
  url: string,
  token: string,
  { adminId, gameId }: Pick<AdminGame, 'adminId' | 'gameId'>,
): Promise<void> {
  const place = `live/loadgame?adminId=${adminId}&gameId=${encodeURIComponent(gameId)}`;
  return expect.poll(async () => (await callApi<{ draw: unknown }>(url, place, token)).draw).not.toBeNull();
}

/** Waits for the first draws of new ones, which open after the answer. */
export async function giveGames(
  url: string,
  token: string,
  adminId: string,
  games: readonly Pick<Game, '_id' | 'gameId'>[],
): Promise<void> {
  const path = `${ROLE_PREFIX.admin}/${adminId}`;
  const { data: before } = await callApi<{ data: { games: Pick<Game, '_id'>[] } }>(url, path, token);
  const answer = await fetch(`${url}/api/${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ games: games.map(({ _id }) => _id) }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  for (const { _id, gameId } of games)
    if (!before.games.some((own) => own._id === _id)) await drawOpens(url, token, { adminId, gameId });
}

export async function fundAdmin(url: string, { accounts }: Network, points: number): Promise<void> {
  const superadmin = await login(url, 'superadmin');
  await issue(url, superadmin, points);
  await callApi(url, `${ROLE_PREFIX.admin}/credit-transfer`, superadmin.token, {
    toUserId: accounts.admin._id,
    transferAmount: points,
    password: PASSWORD,
  });
}

async function setTableLine(url: string, { token }: SignedIn, adminId: string): Promise<void> {
  await callApi(url, `${ROLE_PREFIX.admin}/${adminId}`, token, { tableLine: 100_000_000 }, 'PUT');
}

async function createNetwork(url: string): Promise<Network> {
  const accounts: Partial<Record<Role, AuthUser>> = {};
  let above: SignedIn | undefined;
  for (const [index, role] of ROLES.entries()) {
    if (above) await makeAccount(url, above, role, 6000 - 1000 * index);
    above = await login(url, role);
    accounts[role] = above.user;
    if (role === 'superadmin') await issue(url, above, 10_000);
  }
  await setTableLine(url, await login(url, 'superadmin'), accounts.admin!._id);
  const { token, user } = await login(url, 'admin');
  const { adminGameList } = await callApi<{ adminGameList: AdminGame[] }>(url, `game/usergames/${user._id}`, token);
  return { accounts: accounts as Record<Role, AuthUser>, pair: adminGameList[0]! };
}

interface SignedIn {
  readonly token: string;
  readonly user: AuthUser;
}

function login(url: string, role: Role): Promise<SignedIn> {
  return callApi<SignedIn>(url, 'auth/login', undefined, { username: nameOf(role), password: PASSWORD });
}

async function issue(url: string, { token, user }: SignedIn, points: number): Promise<void> {
  await callApi(url, 'superadmins/credit-adjust', token, {
    toUserId: user._id,
    adjustAmount: points,
    transactionType: 'credit',
    password: PASSWORD,
  });
}

async function makeAccount(url: string, above: SignedIn, role: Role, credit: number): Promise<void> {
  const { data: catalogue } = await callApi<{ data: Game[] }>(url, 'game', above.token);
  const { data } = await callApi<{ data: { _id: string } }>(url, `${ROLE_PREFIX[role]}/create`, above.token, {
    username: nameOf(role),
    password: role === 'user' ? PASSWORD : FIRST_PASSWORD,
    commission: role === 'admin' ? 0 : 2.5,
    note: 'add notes',
    refId: above.user._id,
    userStatus: true,
    ...(role === 'admin' && {
      games: catalogue.filter(({ gameId }) => gameId === NETWORK_GAME).map((game) => game._id),
    }),
  });
  await callApi(url, `${ROLE_PREFIX[role]}/credit-transfer`, above.token, {
    toUserId: data._id,
    transferAmount: credit,
    password: PASSWORD,
  });
  if (role !== 'user') await chooseOwnPassword(url, nameOf(role));
}
