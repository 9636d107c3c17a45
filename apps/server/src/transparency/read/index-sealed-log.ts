import { BATCHES, kindLine, SEALED_RECORDS, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { PRUNED_LINE } from '@drawhouse/rules/records/cleared-records';
import { UNLOGGED_LINE } from '@drawhouse/rules/records/unlogged-changes';
import { readRecord, unescapeField } from '@drawhouse/tlog/node/record-entries';
import { rootOfFull } from './read-bundle.ts';
import { INDEXED_TABLES, Removals, SEEN, type IndexedTable, type RecordIndex } from './record-index.ts';
import { NamedChanges, SealedHistories } from '../verify/named-changes.ts';
import { BEGINNING_LINES } from '../seal/log-beginning.ts';
import type { SealedTree } from './read-sealed-log.ts';
import type { MissingBundle, PruningRecords } from '../verify/pruned-bundles.ts';

const NEWLINE = 0x0a;
const TAB = 0x09;

export interface IndexedLog {
  readonly removals: Removals;
  readonly pruned: number;
  readonly missing: readonly MissingBundle[];
  /** Less than the size if a bundle is missing along with its hashes. */
  readonly readTo: number;
  /** First record that a database restored to `progress` cannot have (see {@link Passes}), or Infinity. */
  readonly lostFrom: number;
}

/**
 * `problem` receives damaged records, unlogged changes and records sealed twice, if different or without reason;
 * `prunings` the sealer's own records.
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
  let isFirst = false;
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
    for (const [nth, entry] of entries.entries()) {
      const place = first + nth;
      const isReadable = kinds.read(entry);
      const { kind } = kinds;
      if (place === 0) isFirst = kind !== undefined;
      if ((kind || isReadable) && passes.next(kind, place)) changes.endLook();
      if (!isReadable) {
        changes.miss();
        index.see(place, SEEN.unnamed);
        problem(`record ${place} can't be read`);
        continue;
      }
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
      index.readKey(entry, kinds.start, kind.keys, kind.salt);
      const before = index.add(place);
      changes.take({ kind, entry, place, before });
      const isOther = before >= 0 && !index.areSame(before, place);
      // After a move between clusters, rows are sealed again when their transaction ids come up.
      if (before >= 0 && !isOther && again.isForNothing({ kind, entry, before }) && isFirst)
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
  return { removals, pruned, missing, readTo, lostFrom: passes.lostFrom };
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
  line = '';
  #form: Form | undefined;
  #line: Uint8Array = new Uint8Array(0);
  readonly #byLine = formsOf();

  get kind(): IndexedTable | undefined {
    return this.#form?.kind;
  }

  get start(): number {
    return this.#line.length;
  }

  /** False for unknown kinds, and unless the record has all fields. */
  read(entry: Uint8Array): boolean {
    if (this.start === 0 || !this.#isSame(entry)) {
      this.#line = entry.slice(0, entry.indexOf(NEWLINE) + 1);
      this.line = Buffer.from(this.#line.subarray(0, -1)).toString('latin1');
      this.#form = this.#byLine.get(this.line);
    }
    const { fields } = this.#form ?? { fields: 0 };
    return fields === undefined || hasFields(entry, this.start, fields);
  }

  #isSame(entry: Uint8Array): boolean {
    for (let at = 0; at < this.#line.length; at++) if (entry[at] !== this.#line[at]) return false;
    return true;
  }
}

interface Form {
  readonly kind?: IndexedTable;
  readonly fields?: number;
}

/** Their rows are short, and read whole. */
const NEVER_HASHED = new Set(['networks', 'removals']);

function formsOf(): Map<string, Form> {
  return new Map<string, Form>([
    ...BEGINNING_LINES.map((line): [string, Form] => [line, {}]),
    [PRUNED_LINE, { fields: 3 }],
    [UNLOGGED_LINE, { fields: 3 }],
    ...INDEXED_TABLES.flatMap((kind): [string, Form][] => [
      [kindLine(kind.table), { kind, fields: kind.columns }],
      ...(NEVER_HASHED.has(kind.table)
        ? []
        : [[`${kindLine(kind.table)} hashed`, { kind, fields: kind.keys + 1 }] satisfies [string, Form]]),
    ]),
  ]);
}

/** Counts bytes: reading the text of each record would take too long. */
function hasFields(entry: Uint8Array, start: number, fields: number): boolean {
  let left = fields;
  for (let at = start; at < entry.length - 1; at++) {
    if (entry[at] === NEWLINE) return false;
    if (entry[at] === TAB) left--;
  }
  return left === 1 && entry.at(-1) === NEWLINE;
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
  const key = SEALED_TABLES[table]?.key ?? ['key'];
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

  /**
   * `undefined`: record without table, at the start of the log or at the end of a pass. Returns true if another pass
   * begins.
   */
  next(kind: IndexedTable | undefined, place: number): boolean {
    if (!kind && this.#last < 0) return false;
    const order = kind?.salt ?? Infinity;
    const isNext = order < this.#last;
    if (isNext) this.nth++;
    this.#last = order;
    if (place >= this.#progress) {
      this.#nthAtProgress ??= this.nth;
      if (this.nth >= this.#nthAtProgress + 2) this.lostFrom = Math.min(this.lostFrom, place);
    }
    return isNext;
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
