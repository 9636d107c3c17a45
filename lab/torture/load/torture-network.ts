import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { session } from '@drawhouse/contract/auth/auth';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { chooseOwnPassword, type Call } from '../../../tools/demo/client.ts';
import { changeAsSystem } from '../../../apps/server/test/tampering/change-as-system.ts';
import { intervalStatements } from '../../../tools/demo/plan.ts';
import { asAccount } from './stand-client.ts';
import { asOwner, FIRST_PASSWORD, STAND_PASSWORD, type Stand } from '../stand.ts';

/** Pays are repeated to check the server independently. */
export interface Game {
  readonly gameId: string;
  readonly drawnos: readonly string[];
  /** Per unit, before the booster. */
  readonly pay: bigint;
  readonly intervalSeconds: number;
}

const numbers = (least: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => String(least + at));

/** Some draw closes or settles at any moment. */
export const GAMES: readonly Game[] = [
  { gameId: 'funtargetbingo', drawnos: numbers(0, 10), pay: 9n, intervalSeconds: 2 },
  { gameId: 'titlisorrat', drawnos: numbers(1, 12), pay: 10n, intervalSeconds: 3 },
  { gameId: 'pingpong1', drawnos: numbers(0, 16), pay: 14n, intervalSeconds: 4 },
];

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
  /** Hundredths of a percent. */
  readonly commission: number;
  readonly above: readonly Person[];
  readonly call: Call;
}

/** `began`: initial credit in hundredths. */
export interface Player extends Person {
  readonly began: bigint;
}

export interface Network {
  readonly admin: Person;
  readonly superadmin: Person;
  readonly retailers: readonly Person[];
  readonly players: readonly Player[];
}

const POINTS = { rich: 1_000_000, poor: 60 };
/** Covers the admin's declared results. */
export const ADMIN_POINTS = POINTS.rich;
const COMMISSION_PERCENT: Partial<Record<Role, number>> = {
  superdistributor: 1,
  distributor: 1.25,
  retailer: 2.5,
  user: 0.5,
};

/** Call before any draw opens. Only the table owner may set less than five seconds. */
export async function shortenIntervals(stand: Stand, slower = 1): Promise<void> {
  const statements = GAMES.flatMap(({ gameId, intervalSeconds }) =>
    intervalStatements(gameId, intervalSeconds * slower),
  );
  await changeAsSystem(await stand.ownerUrl(), statements);
}

/** Microseconds. */
const COMMIT_DELAY = 10_000;

/** Kills then often hit a commit and expose early acknowledgments. */
export async function slowCommits(stand: Stand): Promise<void> {
  await asOwner(stand, async (on) => {
    await on.query(`alter system set commit_delay = ${COMMIT_DELAY}`);
    await on.query('alter system set commit_siblings = 0');
    await on.query('select pg_reload_conf()');
  });
}

/** Each network has one chain with two retailers; every fourth player is poor. */
export async function makeNetworks(call: Call, networks: number, playersEach: number): Promise<Network[]> {
  const root = asAccount(call, 'superadmin');
  const { user } = await root(session, {});
  const superadmin: Person = {
    id: user._id,
    username: 'superadmin',
    role: 'superadmin',
    commission: 0,
    above: [],
    call: root,
  };
  const all = networks * ((playersEach + 1) * POINTS.rich + ADMIN_POINTS);
  await root(
    accountRoutes.superadmin.creditAdjust,
    { body: { toUserId: superadmin.id, adjustAmount: all, transactionType: 'credit', password: STAND_PASSWORD } },
    { idempotencyKey: randomUUID() },
  );
  return Promise.all(Array.from({ length: networks }, (_, at) => makeNetwork(call, superadmin, at + 1, playersEach)));
}

async function makeNetwork(call: Call, superadmin: Person, index: number, playerCount: number): Promise<Network> {
  const make = async (above: Person, role: Role, name: string, points: number): Promise<Person> => {
    const username = `${name}-${index}`;
    const percent = COMMISSION_PERCENT[role] ?? 0;
    const password = role === 'user' ? STAND_PASSWORD : FIRST_PASSWORD;
    const body = { username, password, commission: percent, note: 'torture', refId: above.id };
    const games = role === 'admin' ? { games: GAMES.map(({ gameId }) => gameId) } : {};
    const { data } = await superadmin.call(accountRoutes[role].create, { body: { ...body, ...games } });
    await superadmin.call(
      accountRoutes[role].creditTransfer,
      { body: { toUserId: data._id, transferAmount: points, password: STAND_PASSWORD } },
      { idempotencyKey: randomUUID() },
    );
    if (role !== 'user') await chooseOwnPassword(call, { username, password: STAND_PASSWORD }, password);
    return {
      id: data._id,
      username,
      role,
      commission: Math.round(percent * 100),
      above: [...above.above, above],
      call: asAccount(call, username),
    };
  };
  let above = superadmin;
  for (const role of ROLES.slice(1, 4)) above = await make(above, role, role, role === 'admin' ? ADMIN_POINTS : 1);
  const retailers: Person[] = [];
  for (const at of [1, 2]) retailers.push(await make(above, 'retailer', `retailer${at}`, 1));
  const players: Player[] = [];
  for (let at = 0; at < playerCount; at++) {
    const points = at % 4 === 3 ? POINTS.poor : POINTS.rich;
    const player = await make(retailers[at % retailers.length]!, 'user', `player${at + 1}`, points);
    players.push({ ...player, began: BigInt(points) * 100n });
  }
  return { superadmin, admin: above.above[1]!, retailers, players };
}
