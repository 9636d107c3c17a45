import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { kindLine, selectRecords } from '@drawhouse/rules/records/sealed-records';
import { putJoinedLeaf, rootOver } from '@drawhouse/tlog/node/hashes';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { LineSplitter } from '../../platform/db/sql/copy-rows.ts';

const TAB = 0x09;
const FIRST_ROWS = 8;
const PLACE_BITS = 16;

export interface RowBatch {
  readonly writtenBy: string;
  /** Sorted record hashes, the leaves of its tree. */
  readonly nodes: Buffer;
  readonly line: string;
}

/** Index order keeps each transaction contiguous. */
export function selectBatched(table: string, condition: string): string {
  const from = `${table} ${crossNetworkComment('seals')}`;
  return `${selectRecords(table, condition, from, ['written_by', 'draw_id'])} order by written_by`;
}

/** The input must have whole transactions. */
export async function* batchesOf(table: string, rows: AsyncIterable<Buffer>): AsyncGenerator<RowBatch[]> {
  const grouping = new Grouping(table);
  const lines = new LineSplitter();
  for await (const chunk of rows) {
    lines.take(chunk, grouping.add);
    if (grouping.ended.length > 0) yield grouping.ended.splice(0);
  }
  grouping.endTransaction();
  yield grouping.ended;
}

interface Leaves {
  nodes: Buffer;
  length: number;
}

class Grouping {
  readonly ended: RowBatch[] = [];
  readonly #table: string;
  readonly #kind: Uint8Array;
  readonly #batches = new Map<string, Leaves>();
  #start = Buffer.alloc(0);
  #transactionEnd = 0;
  #recordStart = 0;
  #leaves: Leaves = { nodes: Buffer.alloc(0), length: 0 };

  constructor(table: string) {
    this.#table = table;
    this.#kind = Buffer.from(`${kindLine(table)}\n`);
  }

  /** Transaction, draw, then record columns from the network on. */
  readonly add = (bytes: Buffer, from: number, end: number): void => {
    if (this.#start.length === 0 || !isSame(bytes, from, this.#start, this.#start.length)) this.#begin(bytes, from);
    const leaves = this.#leaves;
    if (leaves.length === leaves.nodes.length) leaves.nodes = Buffer.concat([leaves.nodes], 2 * leaves.length);
    putJoinedLeaf(this.#kind, { bytes, from: from + this.#recordStart, end }, leaves.nodes, leaves.length);
    leaves.length += NODE_BYTES;
  };

  #begin(bytes: Buffer, from: number): void {
    if (!isSame(bytes, from, this.#start, this.#transactionEnd)) this.endTransaction();
    this.#transactionEnd = bytes.indexOf(TAB, from) + 1 - from;
    this.#recordStart = bytes.indexOf(TAB, from + this.#transactionEnd) + 1 - from;
    this.#start = Buffer.from(bytes.subarray(from, bytes.indexOf(TAB, from + this.#recordStart) + 1));
    const name = this.#start.toString();
    this.#leaves = this.#batches.get(name) ?? { nodes: Buffer.alloc(FIRST_ROWS * NODE_BYTES), length: 0 };
    this.#batches.set(name, this.#leaves);
  }

  endTransaction(): void {
    for (const [name, { nodes, length }] of this.#batches) {
      const [writtenBy, draw, network] = name.split('\t') as [string, string, string];
      const sorted = sortNodes(nodes.subarray(0, length));
      const root = Buffer.from(rootOver(sorted)).toString('hex');
      const line = `${[network, this.#table, draw, writtenBy, length / NODE_BYTES, root].join('\t')}\n`;
      this.ended.push({ writtenBy, nodes: sorted, line });
    }
    this.#batches.clear();
  }
}

function isSame(bytes: Buffer, from: number, start: Buffer, length: number): boolean {
  return bytes.compare(start, 0, length, from, from + length) === 0;
}

const compareNodes = (one: Buffer, other: Buffer): number => Buffer.compare(one, other);

/** Gives a batch one tree, regardless of read order. */
function sortNodes(nodes: Buffer): Buffer {
  const count = nodes.length / NODE_BYTES;
  if (count === 1) return nodes;
  const nodeAt = (nth: number): Buffer => nodes.subarray(nth * NODE_BYTES, (nth + 1) * NODE_BYTES);
  if (count > 2 ** PLACE_BITS)
    return Buffer.concat(Array.from({ length: count }, (_, nth) => nodeAt(nth)).sort(compareNodes));
  // Sorting 53-bit numbers (leading bits and position) is ten times as fast.
  const starts = new Float64Array(count);
  for (let nth = 0; nth < count; nth++) {
    const start = nodes.readUInt32BE(nth * NODE_BYTES) * 32 + (nodes[nth * NODE_BYTES + 4]! >> 3);
    starts[nth] = start * 2 ** PLACE_BITS + nth;
  }
  const order = Array.from(starts.sort(), (number) => number % 2 ** PLACE_BITS);
  const sorted = order.map(nodeAt);
  if (sorted.some((node, nth) => nth > 0 && Buffer.compare(sorted[nth - 1]!, node) > 0)) sorted.sort(compareNodes);
  return Buffer.concat(sorted);
}
