import { BATCHES, kindLine, SEALED_RECORDS, SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import { UNLOGGED_LINE } from '@drawhouse/rules/unlogged-changes';
import { readRecord, unescaped } from '@drawhouse/tlog/on-node-records';
import { rootOfFull } from './read-bundle.ts';
import { INDEXED_TABLES, Removals } from './indexed-tables.ts';
import type { IndexedTable } from './indexed-tables.ts';
import { NamedChanges } from './named-changes.ts';
import { SealedHistories } from './sealed-histories.ts';
import { SEEN } from './record-index.ts';
import type { RecordIndex } from './record-index.ts';
import type { SealedTree } from './read-sealed-log.ts';
import type { MissingBundle, ToldPrunings } from './missing-of-log.ts';

const NEWLINE = 0x0a;

/** What a log has, besides the places of its records in the index. */
export interface IndexedLog {
  readonly removals: Removals;
  /** The entry that it begins with; undefined where it was cleared away. */
  readonly firstEntry: Uint8Array | undefined;
  /** Records whose entries were cleared away. */
  readonly pruned: number;
  /** The bundles of these. */
  readonly missing: readonly MissingBundle[];
}

/**
 * Reads a log into an index. `problem` hears of records that were sealed once more with another content, or with the same one for nothing, and of changes that no log told of when they were
 * sealed; `prunings` of what the sealer says of itself.
 */
export async function indexLog(
  tree: SealedTree,
  { index, prunings }: { readonly index: RecordIndex; readonly prunings: ToldPrunings },
  problem: (text: string) => void,
): Promise<IndexedLog> {
  const removals = new Removals();
  const kinds = new Kinds();
  const histories = new SealedHistories(tree);
  const again = new SealedAgain(removals);
  const changes = new NamedChanges(tree, problem);
  let firstEntry: Uint8Array | undefined;
  const missing: MissingBundle[] = [];
  let pruned = 0;
  for await (const { first, width, entries, nodes } of tree.bundles()) {
    index.keepHashes(first, nodes);
    if (!entries) {
      pruned += width;
      changes.miss();
      missing.push({ first, width, root: rootOfFull(nodes) });
      for (let place = first; place < first + width; place++) index.see(place, SEEN.unnamed);
      continue;
    }
    if (first === 0) firstEntry = entries[0]?.slice();
    for (const [nth, entry] of entries.entries()) {
      const place = first + nth;
      const kindEnd = kinds.read(entry);
      const { kind } = kinds;
      again.next(kind, entry);
      if (!kind) {
        index.see(place, SEEN.unnamed);
        prunings.take(kinds.line, entry);
        if (kinds.line === UNLOGGED_LINE) {
          const [table, key] = readRecord(entry).fields;
          changes.leaveOut(table!, unescaped(key!));
          problem(unloggedAs(entry, place));
        }
        continue;
      }
      index.readKey(entry, kindEnd + 1, kind.keys, kind.salt);
      const before = index.add(place);
      await changes.take({ kind, entry, place, before });
      const isOther = before >= 0 && !index.areSame(before, place);
      // What came from another cluster is sealed once more when its transactions' numbers come here.
      if (before >= 0 && !isOther && again.isForNothing({ kind, entry, before }) && isFirst(firstEntry))
        problem(
          `${nameOf(entry)} was written once more as it was: record ${place} says what record ${before} did, and may speak for a change that stands in no log`,
        );
      if (isOther && SEALED_RECORDS[kind.table]!.row === 'record' && !(await histories.areSame(before, entry)))
        problem(
          `${nameOf(entry)} was sealed with one content as record ${before}, and with another as record ${place}`,
        );
      const wrong = histories.isKept(kind.table) && (await histories.wrongAfter({ entry, place, before }));
      if (wrong) problem(`${nameOf(entry)} ${wrong}`);
      if (kind.table === 'removals') removals.add(readRecord(entry).fields, place);
    }
  }
  changes.endLook();
  return { removals, firstEntry, pruned, missing };
}

/** Tells the tables of records apart by their first lines; most have that of the record before. */
class Kinds {
  /** The table of the record that was read last; undefined where it is of none. */
  kind: IndexedTable | undefined;
  /** The first line of that record, without its end. */
  line = '';
  #line: Uint8Array = new Uint8Array(0);
  readonly #byLine = kindsOf();

  /** Reads the kind of a record, and gives where its line ends. */
  read(entry: Uint8Array): number {
    if (this.#line.length > 0 && this.#isSame(entry)) return this.#line.length - 1;
    const end = Math.max(0, entry.indexOf(NEWLINE));
    this.#line = entry.slice(0, end + 1);
    this.line = Buffer.from(this.#line.subarray(0, end)).toString('latin1');
    this.kind = this.#byLine.get(this.line);
    return end;
  }

  #isSame(entry: Uint8Array): boolean {
    for (let at = 0; at < this.#line.length; at++) if (entry[at] !== this.#line[at]) return false;
    return true;
  }
}

/** The tables by the first lines of their records. Long records are there by their key and hash. */
function kindsOf(): Map<string, IndexedTable> {
  return new Map(
    INDEXED_TABLES.flatMap((table): [string, IndexedTable][] => {
      const line = kindLine(table.table);
      return [
        [line, table],
        [`${line} hashed`, table],
      ];
    }),
  );
}

/** Whether a log that begins with an entry comes after none. */
function isFirst(entry: Uint8Array | undefined): boolean {
  return entry !== undefined && readRecord(entry).table !== 'origins';
}

/** What a record of a change that no log tells of says. */
function unloggedAs(entry: Uint8Array, place: number): string {
  const [table, key, transaction] = readRecord(entry).fields;
  return `${nameRow(table!, unescaped(key!).split('\t'))} was changed by transaction ${transaction}, and no row of the log names that, as record ${place} says`;
}

/** A record as people name it: its table and what of it is its key. */
function nameOf(entry: Uint8Array): string {
  const { table, fields } = readRecord(entry);
  return nameRow(table, fields);
}

/** The same of a row, or of a batch of rows of a table, by its fields. */
export function nameRow(table: string, fields: readonly string[]): string {
  if (table === BATCHES) {
    const [network, rowsOf, draw, transaction] = fields;
    return `${rowsOf} (network_id ${network}, draw_id ${draw}, all of transaction ${transaction})`;
  }
  const { key } = SEALED_TABLES[table]!;
  return `${table} (${key.map((column, at) => `${column} ${unescaped(fields[at] ?? '')}`).join(', ')})`;
}

/** What speaks for a change of what people change (`standsInNoLogSince`), and may not be written once more as it is. */
const SPEAKS = new Set(['activity', 'clearings']);

/** A record that says what the one before of its row did. */
interface SameRecord {
  readonly kind: IndexedTable;
  readonly entry: Uint8Array;
  readonly before: number;
}

/**
 * Tells, record by record of a log, which rows were written anew as they were though nothing of the product does so: whoever gives a row of the log another transaction has it speak for
 * a change of that one. A network that comes back is sealed whole, and it was removed before. In a look records come in the order of the tables: where one is of a table before, another look
 * began.
 */
class SealedAgain {
  #look = 0;
  #last = -1;
  readonly #removals: Removals;
  /** Of networks that were sealed, the look. */
  readonly #whole = new Map<string, number>();

  constructor(removals: Removals) {
    this.#removals = removals;
  }

  /** Hears of each record in its order; of one that is of no table, `undefined`: such stand at the end of a look. */
  next(kind: IndexedTable | undefined, entry: Uint8Array): void {
    const order = kind?.salt ?? Infinity;
    if (order < this.#last) this.#look++;
    this.#last = order;
    if (kind?.table === 'networks') this.#whole.set(networkOf(entry), this.#look);
  }

  /** Whether a record that was heard of last and is as the one before has no reason. */
  isForNothing({ kind, entry, before }: SameRecord): boolean {
    if (kind.table === 'networks') return !this.#removals.isAfter(before, 'networks', networkOf(entry));
    return SPEAKS.has(kind.table) && this.#whole.get(networkOf(entry)) !== this.#look;
  }
}

function networkOf(entry: Uint8Array): string {
  return readRecord(entry).fields[0]!;
}
