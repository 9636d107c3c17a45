import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import type { NoteKey } from '@drawhouse/tlog/note-keys';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import pg from 'pg';
import { audit } from '../../src/audit/audit.ts';
import type { Check } from '../../src/audit/audit-check.ts';
import { auditSeals, findingsToRecord } from '../../src/transparency/verify/audit-seals.ts';
import { copierOn, copySnapshot, type Copier } from '../../src/platform/db/sql/copy-rows.ts';
import type { Queryable } from '../../src/platform/db/database.ts';
import { withDedicatedConnections } from '../../src/platform/db/connection/dedicated-connections.ts';
import { openNewestLog, type SealsPlace } from '../../src/transparency/seal/open-newest-log.ts';
import type { Beginning } from '../../src/transparency/seal/log-beginning.ts';
import { Pruning } from '../../src/transparency/prune/prune-cleared.ts';
import { sealOnce } from '../../src/transparency/seal/run/run-sealing.ts';
import type { SealLog } from '../../src/transparency/seal/seal-log.ts';
import { Sealer } from '../../src/transparency/seal/run/sealer.ts';
import type { TestDatabase } from '../test-databases.ts';
import type { Sql } from '../../src/platform/db/sql/sql.ts';

const unstopped = new AbortController().signal;

/** Seals in a temporary folder, on demand. */
export class TestSeals {
  readonly signer = signerOf(newPrivateKey());
  readonly name = 'test';
  readonly dir: string;
  readonly #database: TestDatabase;

  private constructor(dir: string, database: TestDatabase) {
    this.dir = dir;
    this.#database = database;
  }

  static async make(database: TestDatabase): Promise<TestSeals> {
    return new TestSeals(await mkdtemp(join(tmpdir(), 'drawhouse-seals-')), database);
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }

  /** One pass after a server start; `anew` gives the reason for a new log. */
  async seal(anew?: string): Promise<SealLog> {
    const beginning = anew === undefined ? undefined : { because: anew, ...findingsToRecord(await this.audit()) };
    return this.#withLog(beginning, async (on, log) => {
      await sealOnce(on, log, new Sealer(log, () => 0), unstopped);
      return log;
    });
  }

  /** Kills the server before a step: the first seals, the second signs a checkpoint. */
  async sealUntil(step: number): Promise<void> {
    let steps = 0;
    const isMine = (): void => {
      if (++steps === step) throw new Error('killed');
    };
    await this.#withLog(undefined, (on, log) => new Sealer(log, () => 0).look(on, isMine)).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
    });
  }

  /**
   * As after a server start; returns the record count. `isMine` runs before each step and throws to simulate a kill.
   * `failed` gets file removal errors.
   */
  async prune(isMine: () => void = () => {}, failed: (error: Error) => void = throwIt): Promise<number> {
    return this.#withLog(undefined, async (on, log) => {
      const pruning = new Pruning({ on, log, nowMs: () => 0, isMine, failed });
      await pruning.goOn(true);
      return pruning.removed;
    });
  }

  async changeState(change: (state: Record<string, unknown>) => object, nth = 1): Promise<void> {
    const file = join(this.dir, String(nth), 'state.json');
    await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>)));
  }

  get #place(): SealsPlace {
    return { dir: this.dir, name: this.name, signer: this.signer };
  }

  async #withLog<T>(anew: Beginning | undefined, act: (on: Copier, log: SealLog) => Promise<T>): Promise<T> {
    return this.#onServer(async (on) => act(on, await openNewestLog(on, this.#place, anew)));
  }

  async #onServer<T>(act: (on: Copier) => Promise<T>): Promise<T> {
    return withDedicatedConnections(this.#database.serverUrl, 1, unstopped, async ([client]) => {
      const on = copierOn(client!);
      await on.query(TEXT_SETTINGS);
      return act(on);
    });
  }

  async audit(witnesses: readonly NoteKey[] = []): Promise<Check[]> {
    return this.#audit((read) => copySnapshot(this.#database.serverUrl, 1, unstopped, ([on]) => read(on!)), witnesses);
  }

  async problems(): Promise<string[]> {
    return (await this.audit()).flatMap(({ problems }) => problems);
  }

  #audit(
    snapshot: <T>(read: (on: Copier) => Promise<T>) => Promise<T>,
    witnesses: readonly NoteKey[],
  ): Promise<Check[]> {
    const { dir, name, signer } = this;
    return auditSeals({ dir, name, publicKey: signer.publicKey, witnesses }, snapshot);
  }

  /**
   * Applies changes with triggers and constraints off, audits, rolls back. Checks seals, and optionally everything
   * else.
   */
  async foundAfter(
    change: string | ((on: Queryable) => Promise<void>),
    { withRest = false } = {},
  ): Promise<{ sealed: string[]; rest: string[] }> {
    return withDedicatedConnections(this.#database.ownerUrl, 1, unstopped, async ([client]) => {
      await client!.query('begin; set local session_replication_role = replica');
      try {
        if (typeof change === 'string') await client!.query(change);
        else await change(queryableOn(client!));
        const checks = await this.#audit((read) => read(copierOn(client!)), []);
        const rest = withRest ? await audit(queryableOn(client!)) : [];
        const [sealed, others] = [checks, rest].map((some) => some.flatMap(({ problems }) => problems));
        return { sealed: sealed!, rest: others! };
      } finally {
        await client!.query('rollback');
      }
    });
  }
}

const INT8 = 20;

/** Like the pool: int8 as bigint. */
function queryableOn(client: pg.Client): Queryable {
  const types = {
    getTypeParser: (oid: number) => (oid === INT8 ? BigInt : pg.types.getTypeParser(oid)),
  };
  return {
    query: async <R extends object>(statement: Sql | string, given: readonly unknown[] = []) => {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: given } : statement;
      return (await client.query<R & pg.QueryResultRow>({ text, values: [...values], types } as pg.QueryConfig)).rows;
    },
  };
}

function throwIt(error: Error): never {
  throw error;
}
