import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BATCHES, SEALED_RECORDS, SEALED_TABLES } from '@drawhouse/rules/records/sealed-records';
import { prunedRecord, type Clearings } from '@drawhouse/rules/records/cleared-records';
import { isSealedRow, recordIn, unescapeField, valueOf, type ReadRecord } from '@drawhouse/tlog/node/record-entries';
import { TILE_WIDTH, tilePath } from '@drawhouse/tlog/tiles';
import type { Copier } from '../../platform/db/sql/copy-rows.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { entriesOf, readBundle } from '../read/read-bundle.ts';
import { SealedTree } from '../read/read-sealed-log.ts';
import { ifMissing, isUnreadable, syncFolder } from '../seal/seal-files.ts';
import type { SealLog } from '../seal/seal-log.ts';
import { keepProgress } from '../seal/seal-progress.ts';
import { sealedClearings } from '../verify/sealed-clearings.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { withDedicatedConnections } from '../../platform/db/connection/dedicated-connections.ts';

/** Sealing never waits longer between passes. */
const AT_ONCE_MS = 50;
const BUNDLES_AT_ONCE = 1_024;

export interface PruningParts {
  readonly on: Copier;
  readonly log: SealLog;
  readonly nowMs: () => number;
  /** Throws after another server has taken over. */
  readonly isMine: () => void;
  readonly failed: (error: Error) => void;
}

type PruningRun = AsyncGenerator<string | undefined, undefined, undefined>;

const TURN = sql`hashtextextended('drawhouse_pruning', 0)`;

/** An audit reads files for minutes, and would take those removed meanwhile for lost. */
export async function withoutPruning<T>(address: string, act: () => Promise<T>): Promise<T> {
  return withDedicatedConnections(address, 1, new AbortController().signal, async ([client]) => {
    await client!.query(sql`select pg_advisory_lock_shared(${TURN})`);
    return act();
  });
}

/**
 * Removes bundles whose rows were all cleared or have expired. Hashes stay, so every proof keeps working. Signs a
 * pruning record first, so nobody else can pass off a removal as clearing. Trusts only sealed clearings and entries
 * that match the tree. Runs between passes, after a start and after each clearing.
 */
export class Pruning {
  removed = 0;
  readonly #with: PruningParts;
  /** Last clearing for which it ran. */
  #begunFor: string | undefined;
  /** Retried after a restart or the next clearing. */
  #isStuck = false;
  #isWriting = false;
  #run: PruningRun | undefined;

  constructor(parts: PruningParts) {
    this.#with = parts;
  }

  /** Starts after a clearing, or continues for one time slice. Returns a newly signed checkpoint. */
  async goOn(mustSearch: boolean): Promise<string | undefined> {
    if (!this.#run && mustSearch && (await this.#isDue())) this.#run = this.#prune();
    if (!this.#run) return undefined;
    const { on } = this.#with;
    const [turn] = await on.query<{ mine: boolean }>(sql`select pg_try_advisory_lock(${TURN}) as mine`);
    if (!turn!.mine) return undefined;
    try {
      return await this.#goOnFor(this.#run);
    } finally {
      await on.query(sql`select pg_advisory_unlock(${TURN})`);
    }
  }

  async #goOnFor(run: PruningRun): Promise<string | undefined> {
    const { nowMs } = this.#with;
    const until = nowMs() + AT_ONCE_MS;
    this.#isStuck = false;
    let checkpoint: string | undefined;
    do {
      const { done, value } = await this.#next(run);
      if (done || this.#isStuck) this.#run = undefined;
      checkpoint = value ?? checkpoint;
    } while (this.#run && nowMs() < until);
    return checkpoint;
  }

  /** Sealing goes on without files that it can't read. It must not after a failed write. */
  async #next(run: PruningRun): Promise<IteratorResult<string | undefined, undefined>> {
    try {
      return await run.next();
    } catch (error) {
      if (this.#isWriting || !isUnreadable(error)) throw error;
      this.#with.failed(error as Error);
      return { done: true, value: undefined };
    }
  }

  async #isDue(): Promise<boolean> {
    const { on, log } = this.#with;
    if (log.state.snapshot === '') return false;
    const [row] = await on.query<{ newest: string | null }>(
      sql`select ${sql.raw(crossNetworkComment('seals'))} max(written_by)::text as newest from clearings
       where finished_at is not null and pg_visible_in_snapshot(written_by, ${log.state.snapshot}::pg_snapshot)`,
    );
    const newest = row!.newest ?? undefined;
    if (newest === this.#begunFor) return false;
    this.#begunFor = newest;
    return newest !== undefined;
  }

  async *#prune(): PruningRun {
    const { on, log, failed } = this.#with;
    const { folder, origin, state } = log;
    const read = { folder, origin, size: state.size, ifUnreadable: ifMissing };
    let isDamaged = false;
    const tree = new SealedTree(read, () => (isDamaged = true));
    const finding = sealedClearings(on, tree.bundles());
    let found = await finding.next();
    for (; !found.done; found = await finding.next()) yield;
    const clearings = found.value;
    if (clearings.periods.size === 0) return undefined;
    // Damaged files stay as they are.
    if (isDamaged || Buffer.from(tree.rootAt(state.size)).toString('hex') !== state.root) {
      failed(new Error(`the files in ${folder} do not match their root. An audit names the damage.`));
      return undefined;
    }
    const removable: number[] = [];
    for (let index = 0; (index + 1) * TILE_WIDTH <= state.size; index++) {
      const { bundle, hashed } = readBundle(read, index);
      const isSame = hashed?.root !== undefined && tree.rootOfBundle(index).equals(hashed.root);
      if (isSame && (await isCleared(on, entriesOf(bundle!, TILE_WIDTH)!, clearings))) removable.push(index);
      yield removable.length < BUNDLES_AT_ONCE ? undefined : await this.#remove(tree, removable.splice(0));
    }
    if (removable.length > 0) yield await this.#remove(tree, removable);
    return undefined;
  }

  /** Records the bundles and signs a checkpoint first. */
  async #remove(tree: SealedTree, removable: readonly number[]): Promise<string> {
    const { on, log, isMine, failed } = this.#with;
    const records = removable.map((index) =>
      Buffer.from(prunedRecord({ nth: log.nth, index, root: tree.rootOfBundle(index).toString('hex') })),
    );
    isMine();
    this.#isWriting = true;
    await log.add(records);
    isMine();
    await log.seal(log.state.snapshot);
    isMine();
    const checkpoint = await log.sign();
    await keepProgress(on, log, checkpoint);
    this.#isWriting = false;
    const files = removable.map((index) => join(log.folder, tilePath({ level: 'entries', index, width: TILE_WIDTH })));
    try {
      for (const file of files) await rm(file, { force: true });
      for (const folder of new Set(files.map((file) => dirname(file)))) await syncFolder(folder);
      this.removed += removable.length * TILE_WIDTH;
    } catch (error) {
      // The recorded pruning remains valid.
      this.#isStuck = true;
      failed(error as Error);
    }
    return checkpoint;
  }
}

async function isCleared(on: Copier, entries: readonly Uint8Array[], clearings: Clearings): Promise<boolean> {
  const records = takenRecords(entries, clearings);
  return records !== undefined && !(await hasRows(on, records));
}

/** Records of a bundle that may all be gone; otherwise undefined. */
function takenRecords(entries: readonly Uint8Array[], clearings: Clearings): ReadRecord[] | undefined {
  const records: ReadRecord[] = [];
  for (const entry of entries) {
    const record = recordIn(entry);
    if (!record) return undefined;
    if (!isSealedRow(record)) return undefined;
    const { table, fields, isHashed } = record;
    const sealed = SEALED_RECORDS[table]!;
    const value = isHashed ? undefined : (column: string): string | null => valueOf(record, column);
    const taken =
      sealed.row === 'forgotten' ||
      (sealed.key[0] === 'network_id' && clearings.mayHaveTaken(fields[0]!, table, value));
    if (taken === false) return undefined;
    records.push(record);
    // Dependents are cleared only with their ticket.
    if (taken !== true) records.push({ ...record, table: 'tickets', fields: [fields[0]!, taken.ticketId] });
  }
  return records;
}

async function hasRows(on: Copier, records: readonly ReadRecord[]): Promise<boolean> {
  for (const [kind, some] of Map.groupBy(records, ({ table }) => table)) {
    if (kind !== BATCHES) {
      if (await areThere(on, kind, SEALED_TABLES[kind]!.key, some)) return true;
      continue;
    }
    for (const [table, batches] of Map.groupBy(some, ({ fields }) => fields[1]!)) {
      const keys = batches.map(({ fields: [network, , draw, transaction] }) => ({
        fields: [network!, draw!, transaction!],
      }));
      if (await areThere(on, table, ['network_id', 'draw_id', 'written_by'], keys)) return true;
    }
  }
  return false;
}

async function areThere(
  on: Copier,
  table: string,
  key: readonly string[],
  some: readonly Pick<ReadRecord, 'fields'>[],
): Promise<boolean> {
  const keys = some.map(({ fields }) =>
    Object.fromEntries(key.map((column, at) => [column, unescapeField(fields[at]!)])),
  );
  const columns = sql.raw(key.join(', '));
  const [row] = await on.query<{ is_there: boolean }>(
    sql`select ${sql.raw(crossNetworkComment('seals'))} exists (
       select from ${sql.raw(table)} where (${columns}) in (
         select ${columns} from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(keys)}::jsonb))) as is_there`,
  );
  return row!.is_there;
}
