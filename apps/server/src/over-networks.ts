import { sql } from './db/sql.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import type { Sql } from './db/sql.ts';

/**
 * Whatever is done in one statement over several networks, by a name that the statement carries, with the reason. Any other statement says which
 * network each table of networks in it is of, `network_id = $n`, in each of its parts: so a PostgreSQL that has each network in a place of
 * its own sends it there. Tests judge every statement that is sent (`test/one-network.ts`). These here are what is left to do for such a one.
 * Left beside these: `accounts`, whose key is the id alone and which settlements, bets and lists join.
 */
export const OVER_NETWORKS = {
  superadmin: 'a superadmin sees the networks of all its admins in one list, one sum and one look',
  schedule:
    'the schedule looks once for what is due in any network; what it finds it locks and changes network by network',
  named: 'a draw, a ticket or a row of the log is looked for by its id alone: nobody knows yet whose it is',
  apiKey:
    'the token of an API key names its admin, whose network is found by the same look, as each batch of bets waits for it',
  catalogue: 'whether a game of the catalogue is used, and by whom, is asked of all networks at once',
  landing: 'the landing page shows the latest winners of all networks that let it, and the games that any has',
  excluded: 'which networks have players who are excluded is asked of all once a minute',
  seals: 'what was committed in any network is sealed together, in one log of the installation',
  doctor: 'the doctor holds the clock against the newest row of all logs',
  tables: 'which tables are below zero is looked for in all networks at once, by the server and by the doctor',
  days: 'what all networks held at the end of a day is summed at once, once a day',
} as const;

/** Why a statement is over several networks. */
type OverNetworks = keyof typeof OVER_NETWORKS;

/** SQL that says of the statement in which it stands why it is over several networks: a comment. */
export function overNetworks(why: OverNetworks): string {
  return `/* over networks: ${why} */`;
}

/** The one network that an account sees anything of: its own. Undefined for a superadmin, which sees several. */
export function oneNetworkOf({ networkId }: { readonly networkId: number }): number | undefined {
  return networkId === ROOT_NETWORK ? undefined : networkId;
}

/** The one network among some; undefined where they are several, or none. */
export function oneNetworkAmong(networks: readonly number[]): number | undefined {
  return networks.length === 1 ? networks[0] : undefined;
}

/**
 * SQL for the network of what is read: the one, as a parameter. Where there are several it is `column`, by which it hangs together with what was
 * judged, and the statement says that a superadmin asks: `w.network_id = ${networkIn(oneNetworkOf(actor), 'a.network_id')}`.
 */
export function networkIn(one: number | undefined, column: string): Sql {
  return one === undefined ? sql.raw(`${column} ${overNetworks('superadmin')}`) : sql`${one}::int`;
}
