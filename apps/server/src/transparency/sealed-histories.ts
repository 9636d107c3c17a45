import { CHANGES_PROVED, onceOf, wrongChange } from '@drawhouse/rules/changed-rows';
import { namedFields, readRecord } from '@drawhouse/tlog/on-node-records';
import type { SealedTree } from './read-sealed-log.ts';

/** Cached last records; the rest is reread. */
const MOST_KNOWN = 50_000;

const NONE = String.raw`\N`;

/** Columns the product may make so long that their row is sealed by hash only. Allowed once per row. */
const MAY_BE_LONG: Readonly<Record<string, string>> = { idempotency_keys: 'answer' };

type Columns = Readonly<Record<string, string>>;

interface NextRecord {
  readonly entry: Uint8Array;
  readonly place: number;
  readonly before: number;
}

/**
 * Checks successive records of a row: they must be equal or, for draws, idempotency keys and clearings, a legal
 * transition.
 */
export class SealedHistories {
  readonly #tree: SealedTree;
  /** Last records of rows that may still change, by index. */
  readonly #known = new Map<number, Columns>();

  constructor(tree: SealedTree) {
    this.#tree = tree;
  }

  /** True for tables checked by {@link wrongAfter}. */
  isKept(table: string): boolean {
    const proved = CHANGES_PROVED[table];
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
   * Returns what is wrong with a record, to follow its row's name; undefined if it is a legal successor. Records sealed
   * by hash only cannot be followed, so they count as wrong unless the product makes them.
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
    if (mayChange(table, columns) && this.#known.size < MOST_KNOWN) this.#known.set(place, columns);
    if (last instanceof Uint8Array) return wrongBehindHashed(table, record);
    const wrong = last && wrongChange(table, last, columns);
    return wrong && `was changed: record ${before} did not let it have the ${wrong} of record ${place}`;
  }

  /** Columns, or the raw entry if sealed by hash only. */
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
  return `was sealed as record ${place} by its hash alone, as it was too long: what it kept can't be followed`;
}

/** Different content after a record sealed by hash only. For most tables that was already reported. */
function wrongBehindHashed(table: string, { place, before }: NextRecord): string | undefined {
  return table in MAY_BE_LONG
    ? `was changed: record ${before} is there by its hash alone, which lets nothing else come as record ${place}`
    : undefined;
}

function columnsOf(entry: Uint8Array): Columns | undefined {
  return namedFields(readRecord(entry));
}

/** True if the row is not final yet. */
function mayChange(table: string, columns: Columns): boolean {
  const proved = CHANGES_PROVED[table]!;
  if (proved.by === 'states') return columns['finished_at'] === NONE;
  if (proved.by === 'audit') return columns[proved.until!] === NONE;
  return onceOf(table)?.some((column) => columns[column] === NONE) === true;
}
