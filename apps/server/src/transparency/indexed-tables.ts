import { SEALED_RECORDS } from '@drawhouse/rules/sealed-records';
import { unescaped } from '@drawhouse/tlog/on-node-records';

/** A table as the records of it are found. */
export interface IndexedTable {
  readonly table: string;
  /** Its number here, which is part of its keys' hashes. */
  readonly salt: number;
  /** How many columns its key has. */
  readonly keys: number;
  /** Whether each is of a network. */
  readonly isOfNetworks: boolean;
}

/** All kinds of records of rows and batches. */
export const INDEXED_TABLES: readonly IndexedTable[] = Object.entries(SEALED_RECORDS).map(([table, { key }], salt) => ({
  table,
  salt,
  keys: key.length,
  isOfNetworks: key[0] === 'network_id',
}));

/** The tables of which it is noted what is removed (0012-seals.sql). Of others nothing is. */
const REMOVED = [
  'networks',
  'accounts',
  'game_images',
  'times',
  'game_times',
  'network_games',
  'liability_days',
  'wallet_gaps',
  'activity_gaps',
];

/** What the log tells was removed by the product: of a table and key, in the text of COPY, the place of the last record that says so. */
export class Removals {
  readonly #places = new Map<string, number>();

  /** Adds a record of `removals`, by its fields: its id, the table and the key. */
  add(fields: readonly string[], place: number): void {
    const [, table, key] = fields;
    if (table !== undefined && REMOVED.includes(table) && key !== undefined)
      this.#places.set(`${table}\t${unescaped(key)}`, place);
  }

  /** Whether a row was removed after a record of it, by its key with tabs between the columns. */
  isAfter(place: number, table: string, key: string): boolean {
    return (this.#places.get(`${table}\t${key}`) ?? -1) > place;
  }
}
