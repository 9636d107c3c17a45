import { createHmac, hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { inclusionPath, pathAbove, rootAbove, treeRoot } from '@drawhouse/rules/merkle';

/**
 * So many commitments have a node of their own in the file of a day: a power of two, so that it is one of the tree. A path is worked out
 * from one such block and these nodes, not from all commitments of the day.
 */
const BLOCK = 1_024;
const INDEX_BYTES = 8;

/** A day as its file has it. The secret is 32 random bytes, kept before anybody hears of the root. */
export interface StoredDay {
  /** The day of UTC. */
  readonly day: string;
  /** How many seeds it has. */
  readonly size: number;
  /** 64 hex digits each. */
  readonly secret: string;
  readonly root: string;
  /** The keeper's, over `keeperDayText`. */
  readonly signature: string;
  /** The node above each block of commitments, 64 hex digits. */
  readonly nodes: readonly string[];
}

/** The seeds of a day, each HMAC-SHA256 of the day's secret and the index as 8 bytes, the most significant first. */
export class DaySeeds {
  readonly #secret: Buffer;
  readonly size: number;

  /** `secret` is 64 hex digits, `size` how many seeds there are. */
  constructor(secret: string, size: number) {
    this.#secret = Buffer.from(secret, 'hex');
    this.size = size;
  }

  /** The seed at an index, 32 bytes. */
  seed(index: number): Buffer {
    const message = Buffer.alloc(INDEX_BYTES);
    message.writeBigUInt64BE(BigInt(index));
    return createHmac('sha256', this.#secret).update(message).digest();
  }

  /** SHA-256 of each seed from an index on, at most so many. */
  async commitments(from: number, count: number): Promise<Buffer[]> {
    const found: Buffer[] = [];
    const end = Math.min(from + count, this.size);
    for (let next = from; next < end; next += BLOCK) {
      found.push(...this.#commitments(next, Math.min(next + BLOCK, end)));
      await setImmediate();
    }
    return found;
  }

  #commitments(from: number, end: number): Buffer[] {
    return Array.from({ length: Math.max(0, end - from) }, (_, place) =>
      hash('sha256', this.seed(from + place), 'buffer'),
    );
  }

  /** The node above each block. It takes a second or two for a large day, during which others are answered between any two blocks. */
  async nodes(): Promise<Uint8Array[]> {
    const nodes: Uint8Array[] = [];
    for (let from = 0; from < this.size; from += BLOCK) {
      nodes.push(treeRoot(this.#commitments(from, Math.min(from + BLOCK, this.size))));
      await setImmediate();
    }
    return nodes;
  }

  /** Whether the first of these nodes is that of the first block: another secret has another. */
  beginsWith(nodes: readonly string[]): boolean {
    const first = treeRoot(this.#commitments(0, Math.min(BLOCK, this.size)));
    return Buffer.from(first).toString('hex') === nodes[0];
  }

  /** The inclusion path of a commitment, by the nodes of the day's file. */
  path(index: number, nodes: readonly string[]): Uint8Array[] {
    const block = Math.floor(index / BLOCK);
    const from = block * BLOCK;
    const commitments = this.#commitments(from, Math.min(from + BLOCK, this.size));
    const above = nodes.map((node) => Buffer.from(node, 'hex'));
    return [...inclusionPath(commitments, index - from), ...pathAbove(above, block)];
  }
}

/** The root of a day from its blocks' nodes, 64 hex digits. */
export function rootOf(nodes: Iterable<Uint8Array>): string {
  return Buffer.from(rootAbove(nodes)).toString('hex');
}
