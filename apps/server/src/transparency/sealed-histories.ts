import { CHANGES_PROVED, onceOf, wrongChange } from '@drawhouse/rules/changed-rows';
import { namedFields, readRecord } from '@drawhouse/tlog/on-node-records';
import type { SealedTree } from './read-sealed-log.ts';

/** So many rows are known by their last records; of others these are read again. */
const MOST_KNOWN = 50_000;

const NONE = String.raw`\N`;

/** The kept tables whose rows the product itself may make so long that they are sealed by their hash alone, by the column that gets so long: it may come once. */
const MAY_BE_LONG: Readonly<Record<string, string>> = { idempotency_keys: 'answer' };

type Columns = Readonly<Record<string, string>>;

/** A record with its place, and that of the one before it of the same row. */
interface NextRecord {
  readonly entry: Uint8Array;
  readonly place: number;
  readonly before: number;
}

/** What records of one row say that follow each other: the same, or, of draws, of keys that make a request once and of clearings, what the one before lets it be. */
export class SealedHistories {
  readonly #tree: SealedTree;
  /** Of rows that may change yet the last records, by their places. */
  readonly #known = new Map<number, Columns>();

  constructor(tree: SealedTree) {
    this.#tree = tree;
  }

  /** Whether the records of a table are looked at by {@link wrongAfter}. */
  isKept(table: string): boolean {
    const proved = CHANGES_PROVED[table];
    return (
      proved?.by === 'states' || onceOf(table) !== undefined || (proved?.by === 'audit' && proved.until !== undefined)
    );
  }

  /** Whether two records say the same of a row. */
  async areSame(before: number, entry: Uint8Array): Promise<boolean> {
    const other = await this.#tree.entryAt(before);
    const [one, two] = [other && columnsOf(other), columnsOf(entry)];
    return one !== undefined && two !== undefined && Object.keys(two).every((column) => one[column] === two[column]);
  }

  /**
   * What is wrong with a record of a table that is kept ({@link isKept}), behind the name of its row; undefined where it goes on from the one before as it may. One that is there by its hash alone
   * can't be followed, nor what comes behind it: so it is wrong by itself, but where the product makes such.
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

  /** The columns of a record, or its entry where it is there by its hash alone. */
  async #read(place: number): Promise<Columns | Uint8Array | undefined> {
    const entry = await this.#tree.entryAt(place);
    const read = entry && readRecord(entry);
    return read?.isHashed ? entry : read && namedFields(read);
  }
}

/** What is wrong with a record that is there by its hash alone, after what was before it. */
function wrongHashed(table: string, record: NextRecord, last: Columns | Uint8Array | undefined): string | undefined {
  const { entry, place } = record;
  const column = MAY_BE_LONG[table];
  if (column !== undefined && last instanceof Uint8Array)
    return Buffer.compare(entry, last) === 0 ? undefined : wrongBehindHashed(table, record);
  const isFirst = last === undefined || (!(last instanceof Uint8Array) && last[column ?? ''] === NONE);
  if (column !== undefined && isFirst) return undefined;
  return `was sealed as record ${place} by its hash alone, as it was too long: what it kept can't be followed`;
}

/** What is wrong with a record of other content behind one that is there by its hash alone; of most tables that one was named. */
function wrongBehindHashed(table: string, { place, before }: NextRecord): string | undefined {
  return table in MAY_BE_LONG
    ? `was changed: record ${before} is there by its hash alone, which lets nothing else come as record ${place}`
    : undefined;
}

function columnsOf(entry: Uint8Array): Columns | undefined {
  return namedFields(readRecord(entry));
}

/** Whether a row has yet to come to what it is in the end. */
function mayChange(table: string, columns: Columns): boolean {
  const proved = CHANGES_PROVED[table]!;
  if (proved.by === 'states') return columns['finished_at'] === NONE;
  if (proved.by === 'audit') return columns[proved.until!] === NONE;
  return onceOf(table)?.some((column) => columns[column] === NONE) === true;
}
