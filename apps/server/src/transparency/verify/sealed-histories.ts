import { CHANGE_PROOFS, onceOf, forbiddenChange } from '@drawhouse/rules/records/changed-rows';
import { namedFields, readRecord } from '@drawhouse/tlog/node/record-entries';
import type { SealedTree } from '../read/read-sealed-log.ts';

const MAX_HISTORIES = 50_000;

const NONE = String.raw`\N`;

/** A row with a long value is sealed by hash only, once per row. */
const MAY_BE_LONG: Readonly<Record<string, string>> = { idempotency_keys: 'answer' };

type Columns = Readonly<Record<string, string>>;

interface NextRecord {
  readonly entry: Uint8Array;
  readonly place: number;
  readonly before: number;
}

/** Successive records of a row must be equal or, for draws, idempotency keys and clearings, a legal transition. */
export class SealedHistories {
  readonly #tree: SealedTree;
  readonly #known = new Map<number, Columns>();

  constructor(tree: SealedTree) {
    this.#tree = tree;
  }

  /** True for tables checked by {@link wrongAfter}. */
  isKept(table: string): boolean {
    const proved = CHANGE_PROOFS[table];
    return (
      proved?.by === 'states' || onceOf(table) !== undefined || (proved?.by === 'audit' && proved.until !== undefined)
    );
  }

  async areSame(before: number, entry: Uint8Array): Promise<boolean> {
    const other = await this.#tree.entryAt(before);
    const [one, two] = [other && columnsOf(other), columnsOf(entry)];
    return one !== undefined && two !== undefined && Object.keys(two).every((column) => one[column] === two[column]);
  }

  /**
   * Clause to follow the row's name; undefined for a legal transition. Records sealed by hash only count as wrong,
   * unless the product makes them.
   */
  async wrongAfter(record: NextRecord): Promise<string | undefined> {
    const { entry, place, before } = record;
    const read = readRecord(entry);
    const { table, isHashed } = read;
    const columns = namedFields(read);
    if (!columns && !isHashed) return undefined;
    const last = before < 0 ? undefined : (this.#known.get(before) ?? (await this.#read(before)));
    this.#known.delete(before);
    if (!columns) return wrongHashed(table, record, last);
    if (mayChange(table, columns) && this.#known.size < MAX_HISTORIES) this.#known.set(place, columns);
    if (last instanceof Uint8Array) return wrongBehindHashed(table, record);
    const wrong = last && forbiddenChange(table, last, columns);
    return wrong && `was changed: record ${before} does not allow the ${wrong} of record ${place}`;
  }

  async #read(place: number): Promise<Columns | Uint8Array | undefined> {
    const entry = await this.#tree.entryAt(place);
    const read = entry && readRecord(entry);
    return read?.isHashed ? entry : read && namedFields(read);
  }
}

function wrongHashed(table: string, record: NextRecord, last: Columns | Uint8Array | undefined): string | undefined {
  const { entry, place } = record;
  const column = MAY_BE_LONG[table];
  if (column !== undefined && last instanceof Uint8Array)
    return Buffer.compare(entry, last) === 0 ? undefined : wrongBehindHashed(table, record);
  const isFirst = last === undefined || (!(last instanceof Uint8Array) && last[column ?? ''] === NONE);
  if (column !== undefined && isFirst) return undefined;
  return `was too long, so record ${place} seals only its hash, and its contents can't be followed`;
}

function wrongBehindHashed(table: string, { place, before }: NextRecord): string | undefined {
  return table in MAY_BE_LONG
    ? `was changed: record ${before} has only its hash, which does not allow different contents in record ${place}`
    : undefined;
}

function columnsOf(entry: Uint8Array): Columns | undefined {
  return namedFields(readRecord(entry));
}

function mayChange(table: string, columns: Columns): boolean {
  const proved = CHANGE_PROOFS[table]!;
  if (proved.by === 'states') return columns['finished_at'] === NONE;
  if (proved.by === 'audit') return columns[proved.until!] === NONE;
  return onceOf(table)?.some((column) => columns[column] === NONE) === true;
}
