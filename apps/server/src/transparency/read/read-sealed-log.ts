import { GrowingTree, NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { nodesOfLevel, TILE_WIDTH, tileOfTree, tilePath, type Tile } from '@drawhouse/tlog/tiles';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { entriesOf, readableTile, readBundle, rootOfFull, type LogToRead, type ReadBundle } from './read-bundle.ts';

export interface SealedBundle {
  readonly first: number;
  readonly width: number;
  readonly entries: readonly Uint8Array[] | undefined;
  /** 32 bytes each. */
  readonly nodes: Buffer;
}

/** Reads a log bundle by bundle. Reports every tile that is lost or differs from the recomputed tree. */
export class SealedTree {
  readonly #log: LogToRead;
  readonly #problem: (text: string, isLost: boolean) => void;
  readonly #roots: Buffer;
  #edge: Buffer = Buffer.alloc(0);

  constructor(log: LogToRead, problem: (text: string, isLost: boolean) => void) {
    this.#log = log;
    this.#problem = problem;
    this.#roots = Buffer.alloc(Math.floor(log.size / TILE_WIDTH) * NODE_BYTES);
  }

  /** Stops at a bundle missing along with its hashes. */
  async *bundles(): AsyncGenerator<SealedBundle> {
    for (let nth = 0; nth * TILE_WIDTH < this.#log.size; nth++) {
      const one = this.#bundleOf(nth, readBundle(this.#log, nth));
      if (!one) return;
      yield one;
    }
    this.#compareUpper();
  }

  #bundleOf(nth: number, { bundle, tile, hashed }: ReadBundle): SealedBundle | undefined {
    const { width } = tileOfTree(this.#log.size, 'entries', nth)!;
    const first = nth * TILE_WIDTH;
    const name = tilePath({ level: 0, index: nth, width });
    const stored =
      tile && tile.length >= width * NODE_BYTES ? bufferOf(tile).subarray(0, width * NODE_BYTES) : undefined;
    if (!bundle && !stored) {
      this.#say(
        `${name} is missing or unreadable, with its records: nothing after record ${first} can be checked`,
        true,
      );
      return undefined;
    }
    if (!stored) this.#say(`${name} is missing, unreadable or too short`, true);
    if (bundle && !hashed) this.#say(`the records from ${first} to ${first + width - 1} can't be read`, true);
    const nodes = hashed ? bufferOf(hashed.nodes) : stored;
    if (!nodes) return undefined;
    if (hashed && stored && !nodes.equals(stored)) this.#say(`record ${first + firstOther(nodes, stored)} was changed`);
    const root = hashed ? hashed.root : rootOfFull(nodes);
    if (root) this.#roots.set(root, nth * NODE_BYTES);
    else this.#edge = nodes;
    return { first, width, entries: hashed && entriesOf(bundle!, width), nodes };
  }

  #compareUpper(): void {
    const { size } = this.#log;
    let nodes = this.#roots;
    for (let level = 1; nodesOfLevel(size, level) > 0; level++) {
      const above: Uint8Array[] = [];
      for (let index = 0, tile: Tile | null; (tile = tileOfTree(size, level, index)); index++) {
        const own = nodes.subarray(index * TILE_WIDTH * NODE_BYTES, (index * TILE_WIDTH + tile.width) * NODE_BYTES);
        const file = readableTile(this.#log, tile);
        if (!file?.subarray(0, own.length).equals(own))
          this.#say(`${tilePath(tile)} is missing, unreadable or does not match its records`, !file);
        if (tile.width === TILE_WIDTH) above.push(nodeHashes.perfect(own));
      }
      nodes = Buffer.concat(above);
    }
  }

  entryAt(place: number): Uint8Array | undefined {
    const tile = tileOfTree(this.#log.size, 'entries', Math.floor(place / TILE_WIDTH))!;
    const bundle = readableTile(this.#log, tile);
    return bundle && entriesOf(bundle, tile.width)?.[place % TILE_WIDTH];
  }

  /** Root of a full bundle. Call after reading all records. */
  rootOfBundle(nth: number): Buffer {
    return this.#roots.subarray(nth * NODE_BYTES, (nth + 1) * NODE_BYTES);
  }

  /** Root of an earlier size, 32 bytes. Call after reading all records. */
  rootAt(size: number): Uint8Array {
    const tree = new GrowingTree();
    const full = Math.floor(size / TILE_WIDTH);
    for (let nth = 0; nth < full; nth++) tree.addNode(this.rootOfBundle(nth));
    const width = size % TILE_WIDTH;
    if (width === 0) return tree.root();
    const isEdge = full === Math.floor(this.#log.size / TILE_WIDTH);
    const nodes = isEdge ? this.#edge : readableTile(this.#log, { level: 0, index: full, width: TILE_WIDTH });
    const last = new GrowingTree();
    for (let at = 0; at < width; at++)
      last.addNode(nodes?.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES) ?? Buffer.alloc(0));
    tree.addNode(last.root());
    return tree.root();
  }

  #say(text: string, isLost = false): void {
    this.#problem(`the log ${this.#log.origin} in ${this.#log.folder}: ${text}`, isLost);
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function firstOther(one: Buffer, other: Buffer): number {
  let at = 0;
  while (one[at] === other[at]) at++;
  return Math.floor(at / NODE_BYTES);
}
