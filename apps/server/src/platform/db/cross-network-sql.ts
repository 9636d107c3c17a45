import { sql } from './sql/sql.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import type { Sql } from './sql/sql.ts';

/**
 * Reasons for statements across networks, embedded in their SQL as comments. Every other statement restricts each table
 * by `network_id = $n`, so a PostgreSQL distributed by network can route it. Tests check all statements
 * (`test/one-network.ts`). Exception: `accounts`, keyed by id alone and joined by settlements, bets and lists.
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

type OverNetworks = keyof typeof OVER_NETWORKS;

export function overNetworks(why: OverNetworks): string {
  return `/* over networks: ${why} */`;
}

export function oneNetworkOf({ networkId }: { readonly networkId: number }): number | undefined {
  return networkId === ROOT_NETWORK ? undefined : networkId;
}

export function oneNetworkAmong(networks: readonly number[]): number | undefined {
  return networks.length === 1 ? networks[0] : undefined;
}

/**
 * SQL for the network read: one as parameter, otherwise `column`, marked as a superadmin's query: `w.network_id =
 * ${networkIn(oneNetworkOf(actor), 'a.network_id')}`.
 */
export function networkIn(one: number | undefined, column: string): Sql {
  return one === undefined ? sql.raw(`${column} ${overNetworks('superadmin')}`) : sql`${one}::int`;
}
