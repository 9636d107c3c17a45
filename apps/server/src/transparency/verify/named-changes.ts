import {
  FOLLOWING_FIELDS,
  LOGGED_TABLES,
  CHANGE_PROOFS,
  onceOf,
  forbiddenChange,
} from '@drawhouse/rules/records/changed-rows';
import { SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { namedFields, readRecord, unescapeField, valueOf } from '@drawhouse/tlog/node/record-entries';
import type { IndexedTable } from '../read/record-index.ts';
import type { SealedTree } from '../read/read-sealed-log.ts';

interface PlacedRecord {
  readonly kind: IndexedTable;
  readonly entry: Uint8Array;
  readonly place: number;
  readonly before: number;
}

interface Change {
  readonly table: string;
  readonly key: string;
  /** `whole`: row added or removed; `unknown`: the records cannot tell. */
  readonly fields: readonly string[] | 'whole' | 'unknown';
  readonly place: number;
  readonly chain: readonly string[];
}

const isLogged = (table: string): boolean => LOGGED_TABLES.includes(table);

/**
 * The activity log must name all changes to `LOGGED_TABLES`: table, key and field, in a row sealed in the same pass. An
 * arriving network explains its own changes. A pass holds whole transactions in table order; the first also holds older
 * data.
 */
export class NamedChanges {
  #isFirstLook = true;
  #isWhole = true;
  /** A row without earlier record may have had a pruned one. */
  #hasMissed = false;
  #changes: Change[] = [];
  /** Fields named by the log, per table and key; `whole` for added or removed rows. */
  readonly #named = new Map<string, Set<string>>();
  readonly #arrivedNetworks = new Set<string>();
  readonly #tree: SealedTree;
  readonly #problem: (text: string) => void;

  constructor(tree: SealedTree, problem: (text: string) => void) {
    this.#tree = tree;
    this.#problem = problem;
  }

  take(record: PlacedRecord): void {
    const { table } = record.kind;
    if (table === 'networks') this.#takeNetwork(record.entry);
    if (isLogged(table)) this.#takeChange(record);
    else if (table === 'removals') this.#takeRemoval(record);
    else if (this.#changes.length === 0) return;
    else if (table === 'activity') this.#takeLogged(record.entry);
  }

  miss(): void {
    this.#isWhole = false;
    this.#hasMissed = true;
  }

  /** Drops changes that the sealer already reported. */
  leaveOut(table: string, key: string): void {
    this.#changes = this.#changes.filter((change) => change.table !== table || change.key !== key);
  }

  endLook(): void {
    if (this.#isWhole && !this.#isFirstLook)
      for (const change of this.#changes) {
        const what = this.#unnamedOf(change);
        if (what !== undefined)
          this.#problem(`${nameOf(change)} was ${what}, according to record ${change.place}, without a log row`);
      }
    this.#isFirstLook = false;
    this.#isWhole = true;
    this.#changes = [];
    for (const seen of [this.#named, this.#arrivedNetworks]) seen.clear();
  }

  #takeChange({ kind: { table }, entry, place, before }: PlacedRecord): void {
    const read = readRecord(entry);
    const columns = namedFields(read);
    const key = keyOf(table, read.fields);
    const chain = table === 'accounts' && columns ? idsOf(columns['chain']!) : [];
    const change = { table, key, place, chain };
    if (before < 0) {
      this.#changes.push({ ...change, fields: this.#hasMissed ? 'unknown' : 'whole' });
      return;
    }
    const earlier = this.#tree.entryAt(before);
    const earlierFields = earlier && namedFields(readRecord(earlier));
    if (!earlierFields || !columns) {
      this.#changes.push({ ...change, fields: 'unknown' });
      return;
    }
    const fields = Object.keys(columns).filter((column) => columns[column] !== earlierFields[column]);
    if (fields.length > 0) this.#changes.push({ ...change, fields });
  }

  #takeRemoval({ entry, place }: PlacedRecord): void {
    const record = readRecord(entry);
    const [table, key] = [valueOf(record, 'of_table')!, valueOf(record, 'key')!];
    if (isLogged(table)) this.#changes.push({ table, key, place, chain: [], fields: 'whole' });
  }

  #takeNetwork(entry: Uint8Array): void {
    const record = readRecord(entry);
    const [id, admin] = [valueOf(record, 'id')!, valueOf(record, 'admin_id')!];
    this.#arrivedNetworks.add(id).add(admin);
  }

  #takeLogged(entry: Uint8Array): void {
    const record = readRecord(entry);
    const detail = record.isHashed ? null : valueOf(record, 'detail');
    if (!detail?.includes('"wrote"')) return;
    for (const { table, fields, keys } of writtenIn(detail))
      for (const key of keys) {
        const name = `${table}\t${key}`;
        const changes = this.#named.get(name) ?? new Set();
        for (const field of fields ?? ['whole']) changes.add(field);
        this.#named.set(name, changes);
      }
  }

  #unnamedOf({ table, key, fields, chain }: Change): string | undefined {
    const named = this.#named.get(`${table}\t${key}`);
    if (named?.has('whole')) return undefined;
    const admin = chain[1];
    if (table !== 'networks') {
      // A move replaced this network. Its records don't name the admin of its accounts.
      const network = table === 'accounts' ? admin : key.split('\t')[0]!;
      if (
        this.#arrivedNetworks.has(network ?? '') ||
        (table === 'accounts' && chain.length === 0 && this.#arrivedNetworks.size > 0)
      )
        return undefined;
    }
    if (fields === 'whole') return 'added or removed';
    if (fields === 'unknown') return named ? undefined : 'changed';
    const unnamed = fields.filter((field) => {
      if (named?.has(field)) return false;
      if (!FOLLOWING_FIELDS[table]?.includes(field)) return true;
      return !chain.some((id) => this.#named.get(`${table}\t${id}`)?.has('parent_id'));
    });
    return unnamed.length > 0 ? `changed in ${unnamed.join(', ')}` : undefined;
  }
}

function keyOf(table: string, fields: readonly string[]): string {
  return fields.slice(0, SEALED_TABLES[table]!.key.length).map(unescapeField).join('\t');
}

function nameOf({ table, key }: Change): string {
  const { key: columns } = SEALED_TABLES[table]!;
  const values = key.split('\t');
  return `${table} (${columns.map((column, at) => `${column} ${values[at] ?? ''}`).join(', ')})`;
}

function idsOf(text: string): string[] {
  return text.replaceAll(/[{}]/gu, '').split(',');
}

interface Written {
  readonly table: string;
  readonly fields?: readonly string[];
  readonly keys: readonly string[];
}

/** Manual entries may contain anything, and damaged records may be cut. */
function writtenIn(detail: string): Written[] {
  const wrote = wroteIn(detail);
  return Array.isArray(wrote) ? wrote.filter(isWritten) : [];
}

function wroteIn(detail: string): unknown {
  try {
    return (JSON.parse(detail) as { readonly wrote?: unknown }).wrote;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isWritten(part: unknown): part is Written {
  const { table, fields, keys } = (part ?? {}) as Record<string, unknown>;
  return typeof table === 'string' && areTexts(keys) && (fields === undefined || areTexts(fields));
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

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

  areSame(before: number, entry: Uint8Array): boolean {
    const other = this.#tree.entryAt(before);
    const [one, two] = [other && columnsOf(other), columnsOf(entry)];
    return one !== undefined && two !== undefined && Object.keys(two).every((column) => one[column] === two[column]);
  }

  /**
   * Clause to follow the row's name; undefined for a legal transition. Records sealed by hash only count as wrong,
   * unless the product makes them.
   */
  wrongAfter(record: NextRecord): string | undefined {
    const { entry, place, before } = record;
    const read = readRecord(entry);
    const { table, isHashed } = read;
    const columns = namedFields(read);
    if (!columns && !isHashed) return undefined;
    const last = before < 0 ? undefined : (this.#known.get(before) ?? this.#read(before));
    this.#known.delete(before);
    if (!columns) return wrongHashed(table, record, last);
    if (mayChange(table, columns) && this.#known.size < MAX_HISTORIES) this.#known.set(place, columns);
    if (last instanceof Uint8Array) return wrongBehindHashed(table, record);
    const wrong = last && forbiddenChange(table, last, columns);
    return wrong && `was changed: record ${before} does not allow the ${wrong} of record ${place}`;
  }

  #read(place: number): Columns | Uint8Array | undefined {
    const entry = this.#tree.entryAt(place);
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
