import { BATCHES, kindLine, SEALED_RECORDS, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { UNLOGGED_LINE } from '@drawhouse/rules/records/unlogged-changes';
import { readRecord, unescapeField } from '@drawhouse/tlog/node/record-entries';
import { rootOfFull } from './read-bundle.ts';
import { INDEXED_TABLES, Removals, SEEN, type IndexedTable, type RecordIndex } from './record-index.ts';
import { NamedChanges, SealedHistories } from '../verify/named-changes.ts';
import type { SealedTree } from './read-sealed-log.ts';
import type { MissingBundle, PruningRecords } from '../verify/pruned-bundles.ts';

const NEWLINE = 0x0a;

export interface IndexedLog {
  readonly removals: Removals;
  readonly firstEntry: Uint8Array | undefined;
  readonly pruned: number;
  readonly missing: readonly MissingBundle[];
  /** Less than the size if a bundle is missing along with its hashes. */
  readonly readTo: number;
  /** First record that a database restored to `progress` cannot have (see {@link Passes}), or Infinity. */
  readonly lostFrom: number;
}

/**
 * `problem` receives unlogged changes and records sealed twice, if different or without reason; `prunings` the sealer's
 * own records.
 */
export async function indexLog(
  tree: SealedTree,
  {
    index,
    prunings,
    progress,
  }: { readonly index: RecordIndex; readonly prunings: PruningRecords; readonly progress: number },
  problem: (text: string) => void,
): Promise<IndexedLog> {
  const removals = new Removals();
  const kinds = new Kinds();
  const histories = new SealedHistories(tree);
  const passes = new Passes(progress);
  const again = new ResealDetector(removals, passes);
  const changes = new NamedChanges(tree, problem);
  let firstEntry: Uint8Array | undefined;
  const missing: MissingBundle[] = [];
  let pruned = 0;
  let readTo = 0;
  for await (const { first, width, entries, nodes } of tree.bundles()) {
    readTo = first + width;
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
      passes.next(kind, place);
      again.next(kind, entry);
      if (!kind) {
        index.see(place, SEEN.unnamed);
        prunings.take(kinds.line, entry);
        if (kinds.line === UNLOGGED_LINE) {
          const [table, key] = readRecord(entry).fields;
          changes.leaveOut(table!, unescapeField(key!));
          problem(describeUnlogged(entry, place));
        }
        continue;
      }
      index.readKey(entry, kindEnd + 1, kind.keys, kind.salt);
      const before = index.add(place);
      changes.take({ kind, entry, place, before });
      const isOther = before >= 0 && !index.areSame(before, place);
      // After a move between clusters, rows are sealed again when their transaction ids come up.
      if (before >= 0 && !isOther && again.isForNothing({ kind, entry, before }) && isFirst(firstEntry))
        problem(
          `${nameOf(entry)} was sealed again unchanged: record ${place} repeats record ${before}, and may hide an unlogged change`,
        );
      const isChanged = isOther && SEALED_RECORDS[kind.table]!.row === 'record';
      if (isChanged && !cameBack(removals, { kind, entry, before }) && !histories.areSame(before, entry))
        problem(`${nameOf(entry)} was sealed with different contents in records ${before} and ${place}`);
      const wrong = histories.isKept(kind.table) && histories.wrongAfter({ entry, place, before });
      if (wrong) problem(`${nameOf(entry)} ${wrong}`);
      if (kind.table === 'removals') removals.add(readRecord(entry).fields, place);
    }
  }
  changes.endLook();
  return { removals, firstEntry, pruned, missing, readTo, lostFrom: passes.lostFrom };
}

/** A network that came back from another cell has its rows about the root in terms of that cell. */
function cameBack(
  removals: Removals,
  { kind, entry, before }: { readonly kind: IndexedTable; readonly entry: Uint8Array; readonly before: number },
): boolean {
  return kind.isOfNetworks && removals.isAfter(before, 'networks', networkOf(entry));
}

/** Consecutive records mostly share their first line. */
class Kinds {
  kind: IndexedTable | undefined;
  line = '';
  #line: Uint8Array = new Uint8Array(0);
  readonly #byLine = kindsOf();

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

function isFirst(entry: Uint8Array | undefined): boolean {
  return entry !== undefined && readRecord(entry).table !== 'origins';
}

function describeUnlogged(entry: Uint8Array, place: number): string {
  const [table, key, transaction] = readRecord(entry).fields;
  return (
    `${nameRow(table!, unescapeField(key!).split('\t'))} was changed by transaction ${transaction}, ` +
    `according to record ${place}, without a log row`
  );
}

function nameOf(entry: Uint8Array): string {
  const { table, fields } = readRecord(entry);
  return nameRow(table, fields);
}

export function nameRow(table: string, fields: readonly string[]): string {
  if (table === BATCHES) {
    const [network, rowsOf, draw, transaction] = fields;
    return `${rowsOf} (network_id ${network}, draw_id ${draw}, all of transaction ${transaction})`;
  }
  const { key } = SEALED_TABLES[table]!;
  return `${table} (${key.map((column, at) => `${column} ${unescapeField(fields[at] ?? '')}`).join(', ')})`;
}

/** They explain other changes (`standsInNoLogSince`), so writing them again unchanged is forbidden. */
const EXPLAINING_TABLES = new Set(['activity', 'clearings']);

interface SameRecord {
  readonly kind: IndexedTable;
  readonly entry: Uint8Array;
  readonly before: number;
}

/**
 * Records follow table order within a pass, so an earlier table starts a new one. Two passes may look like one, but one
 * never looks like two.
 *
 * A database restored to a moment may have rows of the two passes after its progress. A pass writes its
 * files before it commits its progress. So rows of the first pass may be older than the moment. Rows of the second may
 * have committed after the first took its snapshot. The third reads only what committed after the progress of the first.
 */
class Passes {
  nth = 0;
  lostFrom = Infinity;
  #last = -1;
  #nthAtProgress: number | undefined;
  readonly #progress: number;

  constructor(progress: number) {
    this.#progress = progress;
  }

  /** `undefined`: record without table, at the start of the log or at the end of a pass. */
  next(kind: IndexedTable | undefined, place: number): void {
    if (!kind && this.#last < 0) return;
    const order = kind?.salt ?? Infinity;
    if (order < this.#last) this.nth++;
    this.#last = order;
    if (place < this.#progress) return;
    this.#nthAtProgress ??= this.nth;
    if (this.nth >= this.#nthAtProgress + 2) this.lostFrom = Math.min(this.lostFrom, place);
  }
}

/**
 * The product never writes rows again unchanged: a log row with a new transaction id would explain another change.
 * Returning networks are exempt after their removal.
 */
class ResealDetector {
  readonly #removals: Removals;
  readonly #passes: Passes;
  /** Pass in which each network was sealed completely. */
  readonly #whole = new Map<string, number>();

  constructor(removals: Removals, passes: Passes) {
    this.#removals = removals;
    this.#passes = passes;
  }

  next(kind: IndexedTable | undefined, entry: Uint8Array): void {
    if (kind?.table === 'networks') this.#whole.set(networkOf(entry), this.#passes.nth);
  }

  isForNothing({ kind, entry, before }: SameRecord): boolean {
    if (kind.table === 'networks') return !this.#removals.isAfter(before, 'networks', networkOf(entry));
    return EXPLAINING_TABLES.has(kind.table) && this.#whole.get(networkOf(entry)) !== this.#passes.nth;
  }
}

function networkOf(entry: Uint8Array): string {
  return readRecord(entry).fields[0]!;
}
