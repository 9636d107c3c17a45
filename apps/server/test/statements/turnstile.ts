import type fc from 'fast-check';
import type { Database, Queryable, Reader, StoppableReader, Tx } from '../../src/platform/db/database.ts';
import type { Sql, Readable } from '../../src/platform/db/sql/sql.ts';

const DEADLOCK = '40P01';
/** Event loop turns a server needs between statements. */
const TURNS = 5;
/** Slower statements may be waiting for a lock. */
const LOOK_AFTER_MS = 2;
const LOOKS = 500;

/**
 * Admits one statement at a time, in scheduler order. A statement blocked by a lock stays, and the next one enters.
 * Lock waits come from PostgreSQL's lock table, so order is machine-independent.
 */
export class Turnstile {
  /** Gate passes: the logical time of commands. */
  step = 0;
  readonly deadlocks: string[] = [];
  readonly #looker: Queryable;
  #scheduler: fc.Scheduler | undefined;
  readonly #inFlight = new Set<symbol>();
  /** Lock waiters at the last check; no lock was released since. */
  #locked: ReadonlySet<symbol> = new Set();
  readonly #undelivered: (() => void)[] = [];
  #changes = 0;
  #changed: (() => void) | undefined;

  /** Reads lock tables on a separate connection. */
  constructor(looker: Queryable) {
    this.#looker = looker;
  }

  /** Gates transactions and single reads. */
  through(db: Database): Database {
    const transaction: Database['transaction'] = (act, patience) => {
      // Covers work outside `act`: connection, begin, commit, retry.
      let outside = this.#enter();
      return db
        .transaction(async (tx) => {
          this.#leave(outside);
          try {
            const result = await act(this.#inOrder(tx));
            await this.pass('commit');
            return result;
          } finally {
            outside = this.#enter();
            this.#locked = new Set();
          }
        }, patience)
        .finally(() => this.#leave(outside));
    };
    return {
      ...this.#reader(db),
      transaction,
      // Statements pass one by one, so others can interleave.
      pipelined: (act) => transaction(act),
      snapshots: (connections, read) => this.#alone('snapshot', () => db.snapshots(connections, read)),
      patient: this.#stoppable(db.patient),
      reports: this.#stoppable(db.reports),
      // Maximum delay: caches stay stale until the end.
      listen: (channel, listener) =>
        db.listen(channel, { ...listener, onMessage: (message) => this.#late(() => listener.onMessage(message)) }),
      takesWrites: () => db.takesWrites(),
      pools: () => db.pools(),
      close: () => db.close(),
    };
  }

  #stoppable(db: StoppableReader): StoppableReader {
    return { ...this.#reader(db), until: (signal) => this.#reader(db.until(signal)) };
  }

  #reader(db: Reader): Reader {
    return {
      query: (text, values, name) => this.#alone(nameOf(text, name), () => db.query(text, values, name)),
      snapshot: (read) => this.#alone('snapshot', () => db.snapshot(read)),
    };
  }

  #late(deliver: () => void): void {
    if (this.#scheduler) this.#undelivered.push(deliver);
    else deliver();
  }

  /** Keeps a transaction's statement order, even without awaits. */
  #inOrder(tx: Tx): Tx {
    let last: Promise<unknown> = Promise.resolve();
    const query = <R extends object & Readable<R>>(
      text: Sql | string,
      values?: readonly unknown[],
      name?: string,
    ): Promise<R[]> => {
      const mine = last.then(() => this.#let(nameOf(text, name), () => tx.query<R>(text, values, name)));
      last = mine.catch(() => {});
      return mine;
    };
    return { ...tx, query, send: async (text, values, name) => void (await query(text, values, name)) };
  }

  #alone<T>(name: string, statement: () => Promise<T>): Promise<T> {
    return this.#let(name, statement).finally(() => (this.#locked = new Set()));
  }

  /** Gates external work, such as requests to another program. */
  around<T>(name: string, act: () => Promise<T>): Promise<T> {
    return this.#let(name, act);
  }

  async #let<T>(name: string, statement: () => Promise<T>): Promise<T> {
    await this.pass(name);
    const mine = this.#enter();
    try {
      return await statement();
    } catch (error) {
      if ((error as { code?: string }).code === DEADLOCK) this.deadlocks.push(name);
      throw error;
    } finally {
      this.#leave(mine);
    }
  }

  #enter(): symbol {
    const mine = Symbol('under way');
    this.#inFlight.add(mine);
    this.#note();
    return mine;
  }

  #leave(mine: symbol): void {
    this.#inFlight.delete(mine);
    this.#note();
  }

  #note(): void {
    this.#changes++;
    this.#changed?.();
  }

  async pass(name: string): Promise<void> {
    this.#note();
    await this.#scheduler?.schedule(Promise.resolve(), name);
    this.step++;
    this.#note();
  }

  async drive<T>(scheduler: fc.Scheduler, work: () => Promise<T>): Promise<T> {
    this.#scheduler = scheduler;
    let isDone = false;
    try {
      const done = work().finally(() => {
        isDone = true;
        this.#note();
      });
      done.catch(() => {});
      while (!isDone) {
        await this.#settled();
        if (scheduler.count() > 0) await scheduler.waitNext(1);
        else if (!isDone) await this.#nextChange(LOOK_AFTER_MS);
      }
      return await done;
    } finally {
      this.#scheduler = undefined;
      for (const deliver of this.#undelivered.splice(0)) deliver();
    }
  }

  /** Waits until everything in progress is at the gate or blocked by a lock. */
  async #settled(): Promise<void> {
    for (let looks = 0; looks < LOOKS; looks++) {
      for (let seen = -1; seen !== this.#changes;) {
        seen = this.#changes;
        for (let turn = 0; turn < TURNS; turn++) await new Promise((next) => setImmediate(next));
      }
      if ([...this.#inFlight].every((each) => this.#locked.has(each))) return;
      const changes = this.#changes;
      await this.#nextChange(LOOK_AFTER_MS);
      if (this.#changes !== changes) continue;
      const inFlight = new Set(this.#inFlight);
      const waiting = await this.#waiting();
      // Only lock waiters remain and nothing moved since the check, so all are blocked.
      if (this.#changes !== changes || waiting !== inFlight.size) continue;
      this.#locked = inFlight;
      return;
    }
  }

  async #waiting(): Promise<number> {
    const rows = await this.#looker.query(
      `select distinct l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where not l.granted and a.datname = current_database()`,
      [],
      'turnstile-waiting',
    );
    return rows.length;
  }

  #nextChange(mostMs: number): Promise<void> {
    return new Promise((wake) => {
      const timer = setTimeout(() => this.#changed?.(), mostMs);
      this.#changed = () => {
        clearTimeout(timer);
        this.#changed = undefined;
        wake();
      };
    });
  }
}

function nameOf(text: Sql | string, name: string | undefined): string {
  return (typeof text === 'string' ? name : text.name) ?? String(text).trim().replace(/\s+/g, ' ').slice(0, 60);
}
