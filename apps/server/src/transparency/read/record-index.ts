import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { randomBytes } from 'node:crypto';
import { SEALED_RECORDS } from '@drawhouse/rules/records/sealed-records';
import { unescapeField } from '@drawhouse/tlog/node/record-entries';

/** Half of each hash: matching it costs as much as a SHA-256 collision. */
const PREFIX_BYTES = 16;
const FIRST_RECORDS = 1 << 10;
const NEWLINE = 0x0a;
const TAB = 0x09;

export const SEEN = {
  unseen: 0,
  found: 1,
  differs: 2,
  /** A later record has the same key. */
  superseded: 3,
  /** No table record, or pruned. */
  unnamed: 4,
} as const;

/** Indexes by row key, about 45 bytes each. Keys are 64-bit hashes, randomly seeded against prepared collisions. */
export class RecordIndex {
  readonly #hashes: Uint8Array;
  readonly #seen: Uint8Array;
  readonly #places: Uint32Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #mask: number;
  readonly #seed = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
  #keyLow = 0;
  #keyHigh = 0;

  constructor(size: number) {
    let slots = FIRST_RECORDS;
    while (slots < 1.5 * size) slots *= 2;
    this.#mask = slots - 1;
    this.#hashes = new Uint8Array(size * PREFIX_BYTES);
    this.#seen = new Uint8Array(size);
    this.#places = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#high = new Uint32Array(slots);
  }

  /** Hashes a row's key for the next call. `salt` is the table number. Returns the key's end. */
  readKey(line: Uint8Array, from: number, columns: number, salt: number): number {
    let low = this.#seed[0]! ^ salt;
    let high = this.#seed[1]! ^ Math.imul(salt + 1, 0x9e3779b1);
    let left = columns;
    let at = from;
    for (; at < line.length; at++) {
      const byte = line[at]!;
      if (byte === NEWLINE || (byte === TAB && --left === 0)) break;
      low = Math.imul(low ^ byte, 0x85ebca6b);
      low ^= low >>> 13;
      high = Math.imul(high ^ byte, 0xc2b2ae35);
      high ^= high >>> 15;
    }
    this.#keyLow = Math.imul(low ^ (low >>> 16), 0xc2b2ae35) >>> 0;
    this.#keyHigh = Math.imul(high ^ (high >>> 16), 0x85ebca6b) >>> 0;
    return at;
  }

  #slotOfKey(): number {
    let slot = (this.#keyLow ^ Math.imul(this.#keyHigh, 0x27d4eb2f)) & this.#mask;
    while (this.#places[slot] !== 0 && (this.#low[slot] !== this.#keyLow || this.#high[slot] !== this.#keyHigh))
      slot = (slot + 1) & this.#mask;
    return slot;
  }

  keepHashes(first: number, nodes: Uint8Array): void {
    const count = nodes.length / NODE_BYTES;
    for (let nth = 0; nth < count; nth++)
      for (let at = 0; at < PREFIX_BYTES; at++)
        this.#hashes[(first + nth) * PREFIX_BYTES + at] = nodes[nth * NODE_BYTES + at]!;
  }

  /** Returns the key's previous record or -1. */
  add(place: number): number {
    const slot = this.#slotOfKey();
    const before = this.#places[slot]! - 1;
    this.#places[slot] = place + 1;
    this.#low[slot] = this.#keyLow;
    this.#high[slot] = this.#keyHigh;
    if (before >= 0) this.#seen[before] = SEEN.superseded;
    return before;
  }

  find(): number {
    return this.#places[this.#slotOfKey()]! - 1;
  }

  hasHash(place: number, hash: Uint8Array): boolean {
    for (let at = 0; at < PREFIX_BYTES; at++) if (this.#hashes[place * PREFIX_BYTES + at] !== hash[at]) return false;
    return true;
  }

  /** Place of each hash in the range. */
  placesByHash(first: number, width: number): [hash: string, place: number][] {
    return Array.from({ length: width }, (_, nth) => [
      hexPrefix(this.#hashes.subarray((first + nth) * PREFIX_BYTES)),
      first + nth,
    ]);
  }

  areSame(one: number, other: number): boolean {
    for (let at = 0; at < PREFIX_BYTES; at++)
      if (this.#hashes[one * PREFIX_BYTES + at] !== this.#hashes[other * PREFIX_BYTES + at]) return false;
    return true;
  }

  seen(place: number): number {
    return this.#seen[place]!;
  }

  see(place: number, seen: number): void {
    this.#seen[place] = seen;
  }
}

export function hexPrefix(hash: Uint8Array): string {
  return Buffer.from(hash.subarray(0, PREFIX_BYTES)).toString('hex');
}

export interface IndexedTable {
  readonly table: string;
  readonly salt: number;
  readonly keys: number;
  /** Includes the keys. */
  readonly columns: number;
  readonly isOfNetworks: boolean;
}

export const INDEXED_TABLES: readonly IndexedTable[] = Object.entries(SEALED_RECORDS).map(
  ([table, { key, columns }], salt) => ({
    table,
    salt,
    keys: key.length,
    columns: key.length + columns.length,
    isOfNetworks: key[0] === 'network_id',
  }),
);

export const REMOVED_TABLES = [
  'networks',
  'accounts',
  'factors',
  'game_images',
  'times',
  'schedules',
  'game_times',
  'network_games',
  'liability_days',
  'wallet_gaps',
  'activity_gaps',
];

/** Last removal record by table and key. */
export class Removals {
  readonly #places = new Map<string, number>();

  add(fields: readonly string[], place: number): void {
    const [, table, key] = fields;
    if (table !== undefined && REMOVED_TABLES.includes(table) && key !== undefined)
      this.#places.set(`${table}\t${unescapeField(key)}`, place);
  }

  isAfter(place: number, table: string, key: string): boolean {
    return (this.#places.get(`${table}\t${key}`) ?? -1) > place;
  }
}
