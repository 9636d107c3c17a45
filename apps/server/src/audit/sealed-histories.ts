import { CHANGES_PROVED, onceOf, wrongChange } from '@drawhouse/rules/changed-rows';
import { fieldsOfToday, readRecord } from '@drawhouse/tlog/on-node-records';
import type { SealedTree } from './read-sealed-log.ts';

/** So many rows are known by their last records; of others these are read again. */
const MOST_KNOWN = 50_000;

type Columns = Readonly<Record<string, string>>;

/** A record with its place, and that of the one before it of the same row. */
interface NextRecord {
  readonly entry: Uint8Array;
  readonly place: number;
  readonly before: number;
}

/** What records of one row say that follow each other: the same, or, of draws, of what keepers have of them, of keys that make a request once and of clearings, what the one before lets it be. */
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

  /** Whether two records say the same of a row, in whichever form of its table. */
  async areSame(before: number, entry: Uint8Array): Promise<boolean> {
    const other = await this.#tree.entryAt(before);
    const [one, two] = [other && columnsOf(other), columnsOf(entry)];
    return one !== undefined && two !== undefined && Object.keys(two).every((column) => one[column] === two[column]);
  }

  /** The first column of a record that the one before did not let be so, if there is one. */
  async wrongAfter({ entry, place, before }: NextRecord): Promise<string | undefined> {
    const columns = columnsOf(entry);
    if (!columns) return undefined;
    const { table } = readRecord(entry);
    const last = before < 0 ? undefined : (this.#known.get(before) ?? (await this.#read(before)));
    this.#known.delete(before);
    if (mayChange(table, columns) && this.#known.size < MOST_KNOWN) this.#known.set(place, columns);
    return last && wrongChange(table, last, columns);
  }

  async #read(place: number): Promise<Columns | undefined> {
    const entry = await this.#tree.entryAt(place);
    return entry && columnsOf(entry);
  }
}

function columnsOf(entry: Uint8Array): Columns | undefined {
  return fieldsOfToday(readRecord(entry));
}

/** Whether a row has yet to come to what it is in the end. */
function mayChange(table: string, columns: Columns): boolean {
  const proved = CHANGES_PROVED[table]!;
  if (proved.by === 'states') return columns['finished_at'] === String.raw`\N`;
  if (proved.by === 'audit') return columns[proved.until!] === String.raw`\N`;
  return onceOf(table)?.some((column) => columns[column] === String.raw`\N`) === true;
}
