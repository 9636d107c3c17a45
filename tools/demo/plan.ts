import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { parseArgs } from 'node:util';
import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../apps/server/src/platform/db/database.ts';
import type { Credentials } from './client.ts';

/** Applies from the next draw on. Run as table owner, it bypasses the calls' limits. */
export function intervalStatements(gameKey: string, seconds: number): readonly string[] {
  return [
    `insert into times (id, seconds) values ('${randomUUID()}', ${seconds}) on conflict (seconds) do nothing`,
    `update game_times set time_id = (select id from times where seconds = ${seconds})
     where position = 1 and game_id = (select id from games where game_key = '${gameKey}')`,
  ];
}

/** Use this only on unsealed databases. Bypasses triggers, so the audit accepts the interval as original. */
export async function setDrawInterval(on: Queryable, gameKey: string, seconds: number): Promise<void> {
  const statements = [
    'set local session_replication_role = replica',
    ...intervalStatements(gameKey, seconds),
    `update times set written_by = '3' where seconds = ${seconds}`,
    'set local session_replication_role = origin',
  ];
  await on.query(statements.join(';\n'));
}

export const SUPERADMIN = 'superadmin';
/** Public password. Keep the demo on the loopback interface, the default of `HOST`. */
export const DEMO_PASSWORD = 'demo horse battery';
/** Password of staff, until their first sign-in. */
export const FIRST_DEMO_PASSWORD = 'first horse battery';
export const DEMO_GAMES = [
  'funtargetbingo',
  'titlisorrat',
  'luckycard12',
  'europeanroulette',
  'triplefun',
  'andarbahar',
  'lottery3d',
  'lottery4d',
  'acqOpdpL',
] as const;

export interface Planned {
  readonly role: Role;
  readonly username: string;
  readonly commission: number;
  readonly below: readonly Planned[];
}

const PLAYERS_PER_RETAILER = 10;
const NETWORKS = [1, 2];
/** Retailers by distributor, grouped by superdistributor. */
const SHAPE = [[2], [1, 2]];

const RETAILERS = SHAPE.flat().reduce((sum, retailers) => sum + retailers);
/** People sign in as each network's first player. */
export const MOST_PLAYERS = NETWORKS.length * (RETAILERS * PLAYERS_PER_RETAILER - 1);

const STAFF_NAMES =
  'anita bruno carla dev elena farid grace hugo indra jonas kavya luis mira nikhil olga paulo rani sven tara umar vera william';
const PLAYER_NAMES =
  'aarav aditi ajay amara amit anya arjun asha bela ben chitra clara daniel deepa diya emma felix gita gopal hana hari ' +
  'ines isha ivan jaya joel karan kiran lata leela lina manoj maya meera mohan nadia neha nina omar pia pooja priya rahul ' +
  'ravi rosa sara sita tomas uma vikram';

/** Percent of stake, at most the parent's. The sum stays below most games' margin. */
const COMMISSIONS: Readonly<Record<Role, readonly number[]>> = {
  superadmin: [0],
  admin: [0],
  superdistributor: [3, 2.5],
  distributor: [2, 1.75],
  retailer: [1.5, 1.25],
  user: [0, 0.5, 1],
};

/** Numbers in names give the place in the tree. */
export function demoNetworks(simulated = MOST_PLAYERS): Planned[] {
  const staffNames = STAFF_NAMES.split(' ');
  return NETWORKS.map((network, networkNth) => {
    const playerNames = PLAYER_NAMES.split(' ');
    let players = 0;
    // Includes the player that is not simulated.
    let left = 1 + Math.floor((simulated + NETWORKS.length - 1 - networkNth) / NETWORKS.length);
    const player = (): Planned => {
      const index = players++;
      return planned('user', `${playerNames[index]}${network}${String(index + 1).padStart(2, '0')}`, index);
    };
    const playersOfRetailer = (): Planned[] => {
      const count = Math.min(PLAYERS_PER_RETAILER, left);
      left -= count;
      return times(count, player);
    };
    const staff = (role: Role, path: string, below: readonly Planned[]): Planned =>
      planned(role, `${staffNames.shift()}${path}`, Number(path.at(-1)) - 1, below);
    const retailer = (path: string): Planned => staff('retailer', path, playersOfRetailer());
    const superdistributors = SHAPE.map((distributors, index) => {
      const path = `${network}${index + 1}`;
      return staff(
        'superdistributor',
        path,
        distributors.map((retailers, at) =>
          staff(
            'distributor',
            `${path}${at + 1}`,
            times(retailers, (nth) => retailer(`${path}${at + 1}${nth + 1}`)),
          ),
        ),
      );
    });
    return staff('admin', String(network), superdistributors);
  });
}

export function everyone(trees: readonly Planned[]): Planned[] {
  return trees.flatMap((account) => [account, ...everyone(account.below)]);
}

export function demoPlayers(simulated?: number): Credentials[] {
  return demoNetworks(simulated).flatMap((network) =>
    everyone([network])
      .filter(({ role }) => role === 'user')
      .slice(1)
      .map(({ username }) => ({ username, password: DEMO_PASSWORD })),
  );
}

/** Returns the first chain, whose player is not simulated. */
export function onePerRole(): { role: Role; username: string }[] {
  const chain = [{ role: ROLES[0] as Role, username: SUPERADMIN }];
  for (let level = demoNetworks(); level[0]; level = [...level[0].below]) chain.push(level[0]);
  return chain;
}

function planned(role: Role, username: string, index: number, below: readonly Planned[] = []): Planned {
  const choice = COMMISSIONS[role];
  return { role, username, commission: choice[index % choice.length]!, below };
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export class BadPlayers extends Error {}

export function readPlayers(args: readonly string[]): number {
  let players: string | undefined;
  try {
    ({ players } = parseArgs({ args: [...args], options: { players: { type: 'string' } } }).values);
  } catch {
    throw new BadPlayers('Usage: npm run demo -- [--players N]');
  }
  if (players === undefined) return MOST_PLAYERS;
  const count = /^\d{1,6}$/.test(players) ? Number(players) : 0;
  if (count < 1 || count > MOST_PLAYERS)
    throw new BadPlayers(`--players must be a whole number from 1 to ${MOST_PLAYERS}, not "${players}".`);
  return count;
}
