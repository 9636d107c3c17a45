import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { ENTRY_LENGTH_BYTES, putEntry } from './entry-bundles.ts';
import { TILE_WIDTH } from './tile-paths.ts';
import type { TileFile } from './tile-writer.ts';

/** So much room there is at first; it doubles where that is not enough. */
const FIRST_BYTES = 65_536;

/**
 * Entries on their way into a log: their bundles and their nodes, packed in memory that is used again. An object for each of them would live until they are written, and what collects
 * those then takes longer than all that is done with them.
 */
export class WaitingEntries {
  /** How many wait, without those of the open bundle that were written already. */
  size = 0;
  readonly #putLeaf: (entry: Uint8Array, into: Uint8Array, at: number) => void;
  #bytes = new Uint8Array(FIRST_BYTES);
  #nodes = new Uint8Array(TILE_WIDTH * NODE_BYTES);
  #length = 0;
  /** Where full bundles end. */
  #ends: number[] = [];
  /** So many entries the open bundle has. */
  #open: number;

  /** `open` are the entries of the bundle that is not full, as they were written; `putLeaf` writes the node of an entry, 32 bytes, where it is told to. */
  constructor(open: readonly Uint8Array[], putLeaf: (entry: Uint8Array, into: Uint8Array, at: number) => void) {
    this.#putLeaf = putLeaf;
    for (const entry of open) this.#pack(entry);
    this.#open = open.length;
  }

  /** Puts an entry behind the others; it is copied. Throws RangeError where it is too long for a bundle. */
  add(entry: Uint8Array): void {
    this.#pack(entry);
    const at = this.size * NODE_BYTES;
    if (at === this.#nodes.length) this.#nodes = widened(this.#nodes, at, 2 * at);
    this.#putLeaf(entry, this.#nodes, at);
    this.size++;
    this.#open++;
    if (this.#open < TILE_WIDTH) return;
    this.#ends.push(this.#length);
    this.#open = 0;
  }

  /** The nodes of all that waits, one after the other, until something else is added. */
  get nodes(): Uint8Array {
    return this.#nodes.subarray(0, this.size * NODE_BYTES);
  }

  /** All bundles with entries that wait, as they now are, the first one with this index. They are views of memory that {@link written} gives free. */
  bundles(firstIndex: number): TileFile[] {
    const ends = this.#open > 0 ? [...this.#ends, this.#length] : this.#ends;
    return ends.map((end, nth) => ({
      level: 'entries',
      index: firstIndex + nth,
      width: nth < this.#ends.length ? TILE_WIDTH : this.#open,
      bytes: this.#bytes.subarray(ends[nth - 1] ?? 0, end),
    }));
  }

  /** Forgets what waits, as it was written, but for what the open bundle has. */
  written(): void {
    const from = this.#ends.at(-1) ?? 0;
    this.#bytes.copyWithin(0, from, this.#length);
    this.#length -= from;
    this.#ends = [];
    this.size = 0;
  }

  #pack(entry: Uint8Array): void {
    const end = this.#length + ENTRY_LENGTH_BYTES + entry.length;
    if (end > this.#bytes.length) this.#bytes = widened(this.#bytes, this.#length, 2 * end);
    putEntry(entry, this.#bytes, this.#length);
    this.#length = end;
  }
}

function widened(bytes: Uint8Array, kept: number, length: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(length);
  wider.set(bytes.subarray(0, kept));
  return wider;
}
