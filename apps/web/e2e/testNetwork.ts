import { ROLE_PREFIX } from '@drawhouse/contract/accounts/accounts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { AdminGame, Game } from '@drawhouse/contract/games/games';
import { ROLES } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { TIME_SECONDS } from '@drawhouse/contract/games/times';
import { expect, test } from '@playwright/test';
import { changeAsSystem } from '../../server/test/change-as-system.ts';
import { moveDraws } from '../../server/test/move-draws.ts';
import { ask } from '../../server/test/test-databases.ts';
import { callApi, PASSWORD, startTestServer } from './support.ts';
import type { BeginsWith, TestServer } from './support.ts';
import { testRun } from './testRun.ts';

/** A small real network: one account of each role, each below the one before, with credit that came down the chain. */
export interface Network {
  /** The account of each role. */
  readonly accounts: Readonly<Record<Role, AuthUser>>;
  /** The game that the admin has. */
  readonly pair: AdminGame;
}

/** The game of the network: the first of the catalogue, 3D. */
const NETWORK_GAME = 'lottery3d';

/** What the account of a role is called. */
export function nameOf(role: Role): string {
  return role === 'superadmin' ? 'superadmin' : `the-${role}`;
}

/**
 * Starts a server with a network before the tests of a file, gives both, and ends it after them. What it can be said to begin with is that of
 * {@link startTestServer}.
 */
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

/** A run of the browser tests takes less, also a long one, however busy the machine is. */
const LONGEST_RUN_MS = 6 * 3_600_000;

/** The most seconds, up to a number, that may lie between two draws of a game of which none comes by itself while the tests run. */
function longDrawSeconds(most: number): number {
  const leftMs = most * 1000 - (Date.now() % (most * 1000));
  return leftMs > LONGEST_RUN_MS ? most : longDrawSeconds(most - 1);
}

/** Between two draws of a game that draws by no clock while the tests run: a day, or a little less where that would end at their time. */
export const LONG_DRAW_SECONDS = longDrawSeconds(TIME_SECONDS.max);
/** The same for another game of the same server: no two times are the same. */
export const OTHER_LONG_DRAW_SECONDS = longDrawSeconds(LONG_DRAW_SECONDS - 1);

/** Sets how many seconds lie between two draws of a game, and of all that draw by the same time, before anybody has it. */
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

/** Lets the game of the network draw by no clock from its first draw on: what {@link serveNetwork} begins with where a file waits for no draw. */
export const LONG_DRAWS: BeginsWith = {
  prepare: (database) => setDrawInterval(database, NETWORK_GAME, LONG_DRAW_SECONDS),
};

/** Lets the running draw of a game come to its time now. */
export function drawNow({ ownerUrl }: TestServer, game: string): Promise<void> {
  const times = { closesAt: 'least(closes_at, now())', drawsAt: 'now()' };
  return moveDraws(ownerUrl!, testRun().seedKey, { game, states: ['open', 'closed'], ...times });
}

/** Lets betting on the running draw of a game be open for twenty hours more, whatever the time of the day. */
export function drawInHours({ ownerUrl }: TestServer, game: string): Promise<void> {
  const times = { closesAt: "now() + interval '20 hours'", drawsAt: "now() + interval '20 hours 5 seconds'" };
  return moveDraws(ownerUrl!, testRun().seedKey, { game, states: ['open'], ...times });
}

/** Lets it be more than a week since anybody set another's password: whoever made an account is a second person for it then. */
export function passwordsSetLongAgo({ ownerUrl }: TestServer): Promise<void> {
  return ask(ownerUrl!, "update accounts set password_set_at = password_set_at - interval '8 days'");
}

/** How the runner tells its workers of the network that their databases begin with. */
const VARIABLE = 'TEST_NETWORK';

/** Makes the network on the server whose database the others are copies of, for the workers that are started later. */
export async function handOverNetwork(url: string): Promise<void> {
  process.env[VARIABLE] = JSON.stringify(await createNetwork(url));
}

/** Gives the network of a server once the first draw of its game is open; where its database does not begin with one it is made through the API. */
export async function makeNetwork(url: string): Promise<Network> {
  const { token, user } = await login(url, 'superadmin');
  const copied = JSON.parse(process.env[VARIABLE]!) as Network;
  const network = copied.accounts.superadmin._id === user._id ? copied : await createNetwork(url);
  const { adminId, gameId } = network.pair;
  // Its first draw opens within a second: until then whoever bets is told that the game is not open.
  const place = `live/loadgame?adminId=${adminId}&gameId=${encodeURIComponent(gameId)}`;
  await expect.poll(async () => (await callApi<{ draw: unknown }>(url, place, token)).draw).not.toBeNull();
  return network;
}

/** Makes the games of an admin exactly these, by the session of a superadmin. */
export async function giveGames(
  url: string,
  token: string,
  adminId: string,
  games: readonly Pick<Game, '_id'>[],
): Promise<void> {
  const answer = await fetch(`${url}/api/${ROLE_PREFIX.admin}/${adminId}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ games: games.map(({ _id }) => _id) }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

/** Gives the admin credit that a declared result can be covered from. */
export async function fundAdmin(url: string, { accounts }: Network, points: number): Promise<void> {
  const superadmin = await login(url, 'superadmin');
  await issue(url, superadmin, points);
  await callApi(url, `${ROLE_PREFIX.admin}/credit-transfer`, superadmin.token, {
    toUserId: accounts.admin._id,
    transferAmount: points,
    password: PASSWORD,
  });
}

/** Lets the tables of the network fall so far below zero that they cover whatever the tests bet. */
async function setTableLine(url: string, { token }: SignedIn, adminId: string): Promise<void> {
  await callApi(url, `${ROLE_PREFIX.admin}/${adminId}`, token, { tableLine: 100_000_000 }, 'PUT');
}

/** Makes each account by the one above it. */
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

/** Somebody who has signed in. */
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
    password: PASSWORD,
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
}
