import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { randomBytes } from 'node:crypto';

/** So much of each hash is kept: whoever wants another record with the same half has as much to do as for a collision of SHA-256. */
const KEPT_BYTES = 16;
const FIRST_RECORDS = 1 << 10;
const NEWLINE = 0x0a;
const TAB = 0x09;

/** What is known of a record of the log. */
export const SEEN = {
  /** It is the last one of its key, and no row was found for it. */
  unseen: 0,
  /** Its row is there, as it was sealed. */
  found: 1,
  /** Its row is there and differs. */
  differs: 2,
  /** A later record has its key. */
  superseded: 3,
  /** It is no record of a table, or its entry was cleared away. */
  unnamed: 4,
} as const;

/**
 * The records of a log by the keys of their rows, in a few arrays: about 45 bytes a record. Keys are known by 64 bits of a hash that
 * nobody can foresee, as it begins with random bytes.
 */
export class RecordIndex {
  readonly #hashes: Uint8Array;
  readonly #seen: Uint8Array;
  /** The place of the last record of a key, from 1. */
  readonly #places: Uint32Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  readonly #mask: number;
  readonly #seed = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
  #keyLow = 0;
  #keyHigh = 0;

  /** For a log of so many records. */
  constructor(size: number) {
    let slots = FIRST_RECORDS;
    while (slots < 1.5 * size) slots *= 2;
    this.#mask = slots - 1;
    this.#hashes = new Uint8Array(size * KEPT_BYTES);
    this.#seen = new Uint8Array(size);
    this.#places = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#high = new Uint32Array(slots);
  }

  /**
   * Reads the key of a row of a table, its first columns in a line from `from` on, for what is asked next. `salt` is the number of the table.
   * Gives where the key ends.
   */
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

  /** Keeps the hashes of records that follow each other, 32 bytes each. */
  keepHashes(first: number, nodes: Uint8Array): void {
    const count = nodes.length / NODE_BYTES;
    for (let nth = 0; nth < count; nth++)
      for (let at = 0; at < KEPT_BYTES; at++)
        this.#hashes[(first + nth) * KEPT_BYTES + at] = nodes[nth * NODE_BYTES + at]!;
  }

  /** Makes a record the last one of the key that was read. Gives the place of the one before it, or -1. */
  add(place: number): number {
    const slot = this.#slotOfKey();
    const before = this.#places[slot]! - 1;
    this.#places[slot] = place + 1;
    this.#low[slot] = this.#keyLow;
    this.#high[slot] = this.#keyHigh;
    if (before >= 0) this.#seen[before] = SEEN.superseded;
    return before;
  }

  /** The place of the last record of the key that was read; -1 where there is none. */
  find(): number {
    return this.#places[this.#slotOfKey()]! - 1;
  }

  /** Whether a record has this hash. */
  hasHash(place: number, hash: Uint8Array): boolean {
    for (let at = 0; at < KEPT_BYTES; at++) if (this.#hashes[place * KEPT_BYTES + at] !== hash[at]) return false;
    return true;
  }

  /** Whether two records have the same hash. */
  areSame(one: number, other: number): boolean {
    for (let at = 0; at < KEPT_BYTES; at++)
      if (this.#hashes[one * KEPT_BYTES + at] !== this.#hashes[other * KEPT_BYTES + at]) return false;
    return true;
  }

  /** What is known of a record: one of {@link SEEN}. */
  seen(place: number): number {
    return this.#seen[place]!;
  }

  /** Notes it. */
  see(place: number, seen: number): void {
    this.#seen[place] = seen;
  }
}
