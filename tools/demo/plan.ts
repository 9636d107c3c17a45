import { ROLES } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Credentials } from './client.ts';

/** The name of the superadmin that the server makes at its first start. */
export const SUPERADMIN = 'superadmin';
/** The password of everyone in the demo. Everybody knows it: keep the demo on the loopback interface, the default of `HOST`. */
export const DEMO_PASSWORD = 'demo horse battery';
/** The games of every demo admin. */
export const DEMO_GAMES = [
  'funtargetbingo',
  'titlisorrat',
  'luckycard12',
  'luckycard16',
  'pingpong1',
  'europeanroulette',
] as const;

/** An account that the demo needs, with those below it. */
export interface Planned {
  readonly role: Role;
  readonly username: string;
  readonly commission: number;
  readonly below: readonly Planned[];
}

const PLAYERS_PER_RETAILER = 10;
/** Below each admin: superdistributors, their distributors, and how many retailers each of these has. */
const SHAPE = [[2], [1, 2]];

const STAFF_NAMES =
  'anita bruno carla dev elena farid grace hugo indra jonas kavya luis mira nikhil olga paulo rani sven tara umar vera william';
const PLAYER_NAMES =
  'aarav aditi ajay amara amit anya arjun asha bela ben chitra clara daniel deepa diya emma felix gita gopal hana hari ' +
  'ines isha ivan jaya joel karan kiran lata leela lina manoj maya meera mohan nadia neha nina omar pia pooja priya rahul ' +
  'ravi rosa sara sita tomas uma vikram';

/** Percent of the stake, by role; at most the parent's; the players of one retailer differ. Their sum stays below what most games keep. */
const COMMISSIONS: Readonly<Record<Role, readonly number[]>> = {
  superadmin: [0],
  admin: [0],
  superdistributor: [3, 2.5],
  distributor: [2, 1.75],
  retailer: [1.5, 1.25],
  user: [0, 0.5, 1],
};

/** The two networks of the demo: always the same names, whose numbers tell the place in the tree. */
export function demoNetworks(): Planned[] {
  const staffNames = STAFF_NAMES.split(' ');
  return [1, 2].map((network) => {
    const playerNames = PLAYER_NAMES.split(' ');
    let players = 0;
    const player = (): Planned => {
      const index = players++;
      return planned('user', `${playerNames[index]}${network}${String(index + 1).padStart(2, '0')}`, index);
    };
    const staff = (role: Role, path: string, below: readonly Planned[]): Planned =>
      planned(role, `${staffNames.shift()}${path}`, Number(path.at(-1)) - 1, below);
    const retailer = (path: string): Planned => staff('retailer', path, times(PLAYERS_PER_RETAILER, player));
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

/** Everyone in these trees, from the top down. */
export function everyone(trees: readonly Planned[]): Planned[] {
  return trees.flatMap((account) => [account, ...everyone(account.below)]);
}

/** The sign-ins of the demo's players. */
export function demoPlayers(): Credentials[] {
  return everyone(demoNetworks())
    .filter(({ role }) => role === 'user')
    .map(({ username }) => ({ username, password: DEMO_PASSWORD }));
}

/** One account of each role, the first of each level. */
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
