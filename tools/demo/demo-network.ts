import { randomUUID } from 'node:crypto';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes, type Account } from '@drawhouse/contract/accounts/accounts';
import { session } from '@drawhouse/contract/auth/auth';
import { addBalance } from '@drawhouse/contract/games/game-pair';
import { loadGame } from '@drawhouse/contract/live/live';
import { roleAbove, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { createSemaphore, type Semaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import { CallFailed, chooseOwnPassword, signedIn, type Call } from './client.ts';
import {
  DEMO_GAMES,
  DEMO_PASSWORD,
  FIRST_DEMO_PASSWORD,
  demoNetworks,
  everyone,
  MOST_PLAYERS,
  SUPERADMIN,
  type Planned,
} from './plan.ts';

const TABLE_POINTS = 25_000;
const LOW_POINTS = 500;
const SUPERADMIN_REFUSED =
  "The superadmin does not have the demo's password: the data folder belongs to another server, or the password was changed. " +
  'Remove the folder, or set DATA_DIR to another one.';

export interface Network {
  readonly players: ReadonlyMap<string, Member>;
  readonly created: number;
  readonly accounts: number;
  /** Skipped steps, because someone changed the demo. */
  readonly notes: ReadonlySet<string>;
}

/** Creates missing parts through the demo's accounts. Leaves existing accounts unchanged. */
export async function makeNetwork(call: Call, simulated = MOST_PLAYERS): Promise<Network> {
  const asSuperadmin = signedIn(call, { username: SUPERADMIN, password: DEMO_PASSWORD });
  const { user } = await asSuperadmin(session, {}).catch((error: unknown) => {
    if (error instanceof CallFailed && error.code === 'WRONG_CREDENTIALS') throw new Error(SUPERADMIN_REFUSED);
    throw error;
  });
  const superadmin = member({
    id: user._id,
    role: 'superadmin',
    username: SUPERADMIN,
    above: undefined,
    call: asSuperadmin,
  });

  const present = await presentAccounts(superadmin);
  const players = new Map<string, Member>();
  const notes = new Set<string>();
  let created = 0;
  let accounts = 1;

  /** If visitors changed an account so that it refuses, skips its subtree. */
  const noting = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallFailed) || error.status === 0 || error.status >= 500) throw error;
      notes.add(`${what}: ${error.message}`);
    }
  };

  const ensure = (plan: Planned, above: Member): Promise<void> =>
    noting(plan.username, async () => {
      let account = present.get(plan.username);
      if (!account) {
        account = await createOnce(plan, above);
        created++;
      }
      accounts++;
      const credentials = { username: plan.username, password: DEMO_PASSWORD };
      if (plan.role !== 'user' && account.lastLogin === null)
        await chooseOwnPassword(call, credentials, FIRST_DEMO_PASSWORD);
      const self = member({
        id: account._id,
        role: plan.role,
        username: plan.username,
        above,
        call: signedIn(call, credentials),
      });
      if (plan.role === 'user') players.set(plan.username, self);
      if (plan.role === 'admin') await noting(`Game balance of ${plan.username}`, () => fillTables(self, account));
      if (plan.role === 'user' && account.walletBalance < LOW_POINTS)
        await noting(`Credit by ${above.username}`, () => give(self, 2_000 + 100 * Math.floor(Math.random() * 30)));
      await Promise.all(plan.below.map((next) => ensure(next, self)));
    });

  await Promise.all(demoNetworks(simulated).map((admin) => ensure(admin, superadmin)));
  return { players, created, accounts, notes };
}

export function countPlannedAccounts(simulated: number): number {
  return 1 + everyone(demoNetworks(simulated)).length;
}

async function presentAccounts(superadmin: Member): Promise<Map<string, Account>> {
  const lists = await Promise.all(
    ROLES.filter((role) => roleAbove(role)).map((role) => superadmin.call(accountLists[role].route, {})),
  );
  return new Map(lists.flatMap(({ data }) => data.map((account) => [account.username, account])));
}

async function create({ role, username, commission }: Planned, above: Member): Promise<Account> {
  const games = role === 'admin' ? { games: [...DEMO_GAMES] } : {};
  const password = role === 'user' ? DEMO_PASSWORD : FIRST_DEMO_PASSWORD;
  const { data } = await above.call(accountRoutes[role].create, {
    body: { username, password, commission, note: 'Demo', refId: above.id, ...games },
  });
  return data;
}

/** Also finds an account that an unanswered try created. */
async function createOnce(plan: Planned, above: Member): Promise<Account> {
  try {
    return await create(plan, above);
  } catch (error) {
    if (!(error instanceof CallFailed) || error.status !== 409) throw error;
    const { data } = await above.call(accountLists[plan.role].route, { query: { search: plan.username } });
    const found = data.find(({ username }) => username === plan.username);
    if (!found) throw error;
    return found;
  }
}

async function fillTables(admin: Member, { games = [] }: Account): Promise<void> {
  for (const { gameId } of games) {
    const pair = { gameId, adminId: admin.id };
    const { percentageData } = await admin.call(loadGame, { query: pair });
    if ((percentageData[0]?.gameBalance ?? 0) > 0) continue;
    await admin.inTurn(() =>
      affording(admin, TABLE_POINTS, () =>
        admin.call(
          addBalance,
          { body: { ...pair, balance: TABLE_POINTS, type: 'add' } },
          { idempotencyKey: randomUUID() },
        ),
      ),
    );
  }
}

export interface Member {
  readonly id: string;
  readonly role: Role;
  readonly username: string;
  /** Gives it credit; undefined for the superadmin, who issues it. */
  readonly above: Member | undefined;
  readonly call: Call;
  /** Concurrent passwords look like guessing. */
  readonly inTurn: Semaphore['run'];
}

/** Per level: enough for those below, with a reserve. */
const REFILL: Readonly<Record<Role, number>> = {
  superadmin: 5_000_000,
  admin: 1_200_000,
  superdistributor: 400_000,
  distributor: 150_000,
  retailer: 50_000,
  user: 3_000,
};

function member(account: Omit<Member, 'inTurn'>): Member {
  return { ...account, inTurn: createSemaphore(1).run };
}

/** If the parent is short, it refills from its own parent. */
export async function give(to: Member, points: number = REFILL[to.role]): Promise<void> {
  const from = to.above;
  if (!from) return issue(to, points);
  await from.inTurn(() =>
    affording(from, points, () =>
      from.call(
        accountRoutes[to.role].creditTransfer,
        { body: { toUserId: to.id, transferAmount: points, password: DEMO_PASSWORD } },
        { idempotencyKey: randomUUID() },
      ),
    ),
  );
}

/** If `payer` lacks credit, refills and retries. */
async function affording(payer: Member, points: number, spend: () => Promise<unknown>): Promise<void> {
  try {
    await spend();
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code !== 'INSUFFICIENT_CREDIT') throw error;
    await give(payer, Math.max(points, REFILL[payer.role]));
    await spend();
  }
}

async function issue(superadmin: Member, points: number): Promise<void> {
  await superadmin.call(
    accountRoutes.superadmin.creditAdjust,
    { body: { toUserId: superadmin.id, adjustAmount: points, transactionType: 'credit', password: DEMO_PASSWORD } },
    { idempotencyKey: randomUUID() },
  );
}
