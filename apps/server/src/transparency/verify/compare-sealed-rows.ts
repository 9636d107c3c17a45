import {
  BATCHED_TABLES,
  BATCHES,
  kindLine,
  SEALED_RECORDS,
  selectRecords,
} from '@drawhouse/rules/records/sealed-records';
import { nodeHashes } from '@drawhouse/tlog/node/hashes';
import { entryOf } from '@drawhouse/tlog/node/record-entries';
import { MAX_ENTRY_BYTES } from '@drawhouse/tlog/tiles';
import { parseSnapshot } from '../read/written-records.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { LineSplitter, type Copier } from '../../platform/db/sql/copy-rows.ts';
import { nameRow } from '../read/index-sealed-log.ts';
import {
  hexPrefix,
  INDEXED_TABLES,
  SEEN,
  type IndexedTable,
  type Removals,
  type RecordIndex,
} from '../read/record-index.ts';
import { batchesOf, selectBatched } from '../seal/row-batches.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const TAB = 0x09;
const ZERO = 0x30;

export interface ComparedRows {
  readonly rows: number;
  readonly waiting: number;
  /** Place of the last log row or batch that is as sealed, or -1. */
  readonly lastProven: number;
}

export interface SealedState {
  readonly index: RecordIndex;
  readonly removals: Removals;
  readonly snapshot: string;
  /** Places of hashes whose records are lost (`placesByHash`). */
  readonly lost: ReadonlyMap<string, number>;
}

/** `place` of the sealed record; negative for rows without one. */
export type RowProblem = (text: string, place: number) => void;

/** Each row with its key's last record. `on` must hold a snapshot and TEXT_SETTINGS. */
export async function compareRows(on: Copier, sealed: SealedState, problem: RowProblem): Promise<ComparedRows> {
  const [now] = await on.query<{ next: string; own: string | null }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next, pg_current_xact_id_if_assigned()::text as own`,
  );
  const networks = await on.query<WrittenNetwork>(sql`select id::text as id, written_by::text as by from networks`);
  const next = Math.max(Number(now!.next), Number(now!.own ?? 0) + 1);
  const comparing = new Comparing(sealed, next, networks, problem);
  for (const kind of INDEXED_TABLES) {
    const condition = kind.isOfNetworks ? 'network_id in (select id from networks)' : 'true';
    const rows = new ComparedLines(kind, comparing);
    if (kind.table === BATCHES) await compareBatches(on, condition, rows);
    else {
      const lines = new LineSplitter();
      const from = `${kind.table} ${crossNetworkComment('seals')}`;
      for await (const chunk of on.copy(selectRecords(kind.table, condition, from, ['written_by'])))
        lines.take(chunk as Buffer, rows.compare);
    }
  }
  return comparing;
}

async function compareBatches(on: Copier, condition: string, rows: ComparedLines): Promise<void> {
  for (const table of BATCHED_TABLES)
    for await (const batches of batchesOf(table, on.copy(selectBatched(table, condition))))
      for (const { writtenBy, line } of batches) {
        const bytes = Buffer.from(`${writtenBy}\t${line}`);
        rows.compare(bytes, 0, bytes.length);
      }
}

interface WrittenNetwork {
  readonly id: string;
  readonly by: string;
}

class Comparing implements ComparedRows {
  rows = 0;
  waiting = 0;
  lastProven = -1;
  readonly #sealed: SealedState;
  readonly #isShown: (transaction: number) => boolean;
  readonly #nextTransaction: number;
  readonly #problem: RowProblem;
  readonly #newNetworks: ReadonlySet<string>;

  constructor(sealed: SealedState, nextTransaction: number, networks: readonly WrittenNetwork[], problem: RowProblem) {
    this.#sealed = sealed;
    this.#isShown = isShownBy(sealed.snapshot);
    this.#nextTransaction = nextTransaction;
    this.#problem = problem;
    const isNew = ({ by }: WrittenNetwork): boolean => !this.#isShown(Number(by));
    this.#newNetworks = new Set(networks.filter(isNew).map(({ id }) => id));
  }

  get index(): RecordIndex {
    return this.#sealed.index;
  }

  /** The hash of a lost record proves its row. */
  isProven(hash: Uint8Array, place: number): boolean {
    const isSealedLater = (this.#sealed.lost.get(hexPrefix(hash)) ?? -1) > place;
    if (isSealedLater && place >= 0) this.index.see(place, SEEN.superseded);
    return isSealedLater;
  }

  judge({ table, isOfNetworks }: IndexedTable, row: { line: Buffer; writtenBy: number; place: number }): void {
    const { line, writtenBy, place } = row;
    const fields = line.toString().trimEnd().split('\t');
    const isNew = isOfNetworks && this.#newNetworks.has(fields[0]!);
    if (place >= 0) this.index.see(place, SEEN.differs);
    if (writtenBy >= this.#nextTransaction)
      return this.#problem(
        `${nameRow(table, fields)} names the transaction ${writtenBy}, which has not happened yet`,
        place,
      );
    // Append-only rows cannot be rewritten.
    const isRewritten = place >= 0 && SEALED_RECORDS[table]!.row === 'record';
    const isUnsealedYet = isNew || (!this.#isShown(writtenBy) && !isRewritten);
    if (table === 'removals' && isUnsealedYet) this.#sealed.removals.add(fields, Infinity);
    if (isUnsealedYet) {
      this.waiting++;
      return;
    }
    this.#problem(
      place < 0
        ? `${nameRow(table, fields)} was added without being sealed`
        : `${nameRow(table, fields)} was changed after it was sealed, as record ${place}`,
      place,
    );
  }
}

class ComparedLines {
  readonly #table: IndexedTable;
  readonly #comparing: Comparing;
  readonly #kind: Buffer;
  /** Its rows have random ids and times, so nobody writes an equal one again. */
  readonly #isUnique: boolean;
  readonly #entry = Buffer.alloc(MAX_ENTRY_BYTES);

  constructor(table: IndexedTable, comparing: Comparing) {
    this.#table = table;
    this.#comparing = comparing;
    this.#isUnique = table.table === 'activity' || table.table === BATCHES;
    this.#kind = Buffer.from(`${kindLine(table.table)}\n`);
    this.#kind.copy(this.#entry);
  }

  readonly compare = (bytes: Buffer, start: number, end: number): void => {
    let from = start;
    let writtenBy = 0;
    for (; bytes[from] !== TAB; from++) writtenBy = writtenBy * 10 + bytes[from]! - ZERO;
    from++;
    const { index } = this.#comparing;
    const { keys, salt } = this.#table;
    this.#comparing.rows++;
    index.readKey(bytes, from, keys, salt);
    const place = index.find();
    const hash = this.#hashOf(bytes, from, end);
    if (place >= 0 && index.hasHash(place, hash)) {
      if (this.#isUnique) this.#comparing.lastProven = Math.max(this.#comparing.lastProven, place);
      return index.see(place, SEEN.found);
    }
    if (this.#comparing.isProven(hash, place)) return;
    const line = bytes.subarray(from, end);
    this.#comparing.judge(this.#table, { line, writtenBy, place });
  };

  #hashOf(bytes: Buffer, from: number, end: number): Uint8Array {
    const length = this.#kind.length + end - from;
    if (length > MAX_ENTRY_BYTES)
      return nodeHashes.leaf(entryOf(this.#table.table, this.#kind, bytes.subarray(from, end)));
    bytes.copy(this.#entry, this.#kind.length, from, end);
    return nodeHashes.leaf(this.#entry.subarray(0, length));
  }
}

function isShownBy(snapshot: string): (transaction: number) => boolean {
  const shown = parseSnapshot(snapshot);
  const inProgress = new Set(shown?.inProgress.map(Number));
  const next = Number(shown?.next ?? 0);
  return (transaction) => transaction < next && !inProgress.has(transaction);
}
