import { sql, type Sql } from './sql/sql.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';

/**
 * Each reason is embedded in its SQL as a comment. Every other statement restricts each table by `network_id = $n`, so
 * a PostgreSQL distributed by network can route it. Tests check all statements (`test/statements/one-network.ts`).
 * Exception: `accounts`, keyed by id alone and joined by settlements, bets and lists.
 */
export const CROSS_NETWORK_REASONS = {
  superadmin: "a superadmin sees all its admins' networks in one list, sum or query",
  schedule: 'the schedule finds due draws of all networks in one query, then locks and changes them network by network',
  named: 'looks up a draw, ticket or log row by id alone, before its network is known',
  apiKey:
    "an API key's token names its admin, and the same query finds the network, because each batch of bets waits for it",
  signIn: 'a username leads to its account or login, before the network is known',
  persons: 'compares persons of an admin and a superadmin, who belong to two networks',
  catalogue: 'finds whether and where a catalogue game is used, in all networks in one query',
  wall: 'the key of a public wall names its admin, and the same query finds the network',
  landing: 'the landing page shows the latest winners of all networks that allow it, and their games',
  expiry: 'finds networks with overdue requests for approval, once a minute',
  standing: 'finds standing orders of all networks that are due, passed or broken, four times a minute',
  excluded: 'finds networks with excluded players, once a minute',
  seals: 'seals commits of all networks together, in one log of the installation',
  doctor: 'the doctor compares the clock with the newest row of all logs',
  tables: 'the server and the doctor find tables below zero in all networks in one query',
  cells: 'finds networks of a cell that are moving, have moved or live elsewhere',
  corrections: 'finds corrections of outside results under way, every five seconds',
  days: "sums all networks' holdings at the end of a day, once a day",
} as const;

type OverNetworks = keyof typeof CROSS_NETWORK_REASONS;

export function crossNetworkComment(why: OverNetworks): string {
  return `/* over networks: ${why} */`;
}

export function singleNetworkOf({ networkId }: { readonly networkId: number }): number | undefined {
  return networkId === ROOT_NETWORK ? undefined : networkId;
}

export function singleNetwork(networks: readonly number[]): number | undefined {
  return networks.length === 1 ? networks[0] : undefined;
}

/**
 * One network as parameter, otherwise `column`, marked as a superadmin's query: `w.network_id =
 * ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')}`.
 */
export function networkOrColumnSql(one: number | undefined, column: string): Sql {
  return one === undefined ? sql.raw(`${column} ${crossNetworkComment('superadmin')}`) : sql`${one}::int`;
}
