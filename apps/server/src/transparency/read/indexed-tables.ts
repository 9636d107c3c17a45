import { SEALED_RECORDS } from '@drawhouse/rules/records/sealed-records';
import { unescaped } from '@drawhouse/tlog/on-node-records';

export interface IndexedTable {
  readonly table: string;
  readonly salt: number;
  readonly keys: number;
  readonly isOfNetworks: boolean;
}

export const INDEXED_TABLES: readonly IndexedTable[] = Object.entries(SEALED_RECORDS).map(([table, { key }], salt) => ({
  table,
  salt,
  keys: key.length,
  isOfNetworks: key[0] === 'network_id',
}));

/** Tables whose removals are recorded (0012-seals.sql). */
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

/** Removals recorded by the product: last record by table and key. */
export class Removals {
  readonly #places = new Map<string, number>();

  add(fields: readonly string[], place: number): void {
    const [, table, key] = fields;
    if (table !== undefined && REMOVED.includes(table) && key !== undefined)
      this.#places.set(`${table}\t${unescaped(key)}`, place);
  }

  /** Key columns are tab-separated. */
  isAfter(place: number, table: string, key: string): boolean {
    return (this.#places.get(`${table}\t${key}`) ?? -1) > place;
  }
}
