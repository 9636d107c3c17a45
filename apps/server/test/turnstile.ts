import type fc from 'fast-check';
import type { Database, Queryable, Reader, StoppableReader, Tx } from '../src/db/database.ts';
import type { Sql } from '../src/db/sql.ts';
import type { Readable } from '../src/db/row.ts';

/** What PostgreSQL reports where transactions wait for each other in a ring. */
const DEADLOCK = '40P01';
/** Turns of the event loop in which a server does what it does between two statements. */
const TURNS = 5;
/** A statement that takes longer may be waiting for a lock. */
const LOOK_AFTER_MS = 2;
/** Whatever still moves after so many looks is not waited for any more: then the order is not the scheduler's alone. */
const LOOKS = 500;

/**
 * Lets one statement at a time into the database, in the order of a scheduler: each statement, each commit and each beginning of a command
 * waits at the gate. A statement that waits for a lock stays where it is, and the next one is let in: which ones wait is read from
 * PostgreSQL's own table of locks, so that an order holds on any machine.
 */
export class Turnstile {
  /** How many times the gate was passed: the time by which commands are compared. */
  step = 0;
  /** The statements that PostgreSQL ended because of a ring of locks. */
  readonly deadlocks: string[] = [];
  readonly #looker: Queryable;
  #scheduler: fc.Scheduler | undefined;
  /** What is in the database now: statements, and the ends of transactions. */
  readonly #underWay = new Set<symbol>();
  /** Those of them that waited for a lock when that was last looked at; nobody has let go of a lock since. */
  #locked: ReadonlySet<symbol> = new Set();
  /** What servers have told each other and is not heard yet. */
  readonly #unheard: (() => void)[] = [];
  #changes = 0;
  #changed: (() => void) | undefined;

  /** `looker` sees the locks of the database by a connection of its own. */
  constructor(looker: Queryable) {
    this.#looker = looker;
  }

  /** The database through the gate. Its readers beside transactions are let in statement by statement too. */
  through(db: Database): Database {
    const transaction: Database['transaction'] = (act, patience) => {
      // What is outside of `act` is under way: the connection, the beginning, the commit, and a repetition.
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
      // Each of its statements passes by itself: so others come between those that travel together too.
      pipelined: (act) => transaction(act),
      snapshots: (connections, read) => this.#alone('snapshot', () => db.snapshots(connections, read)),
      patient: this.#stoppable(db.patient),
      reports: this.#stoppable(db.reports),
      // The longest way of a message: whatever a server remembers is out of date until the end.
      listen: (channel, hearing) =>
        db.listen(channel, { ...hearing, heard: (message) => this.#late(() => hearing.heard(message)) }),
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

  #late(hear: () => void): void {
    if (this.#scheduler) this.#unheard.push(hear);
    else hear();
  }

  /** The statements of one transaction keep their order, also where they are sent without waiting for each other. */
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

  /** A statement that is a transaction of its own. */
  #alone<T>(name: string, statement: () => Promise<T>): Promise<T> {
    return this.#let(name, statement).finally(() => (this.#locked = new Set()));
  }

  /** Waits at the gate, then does what is no statement, and is waited for like one: what is asked of another program. */
  around<T>(name: string, act: () => Promise<T>): Promise<T> {
    return this.#let(name, act);
  }

  /** Waits at the gate, then runs a statement. */
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
    this.#underWay.add(mine);
    this.#note();
    return mine;
  }

  #leave(mine: symbol): void {
    this.#underWay.delete(mine);
    this.#note();
  }

  #note(): void {
    this.#changes++;
    this.#changed?.();
  }

  /** Waits until the scheduler lets this one pass. Without a scheduler nobody waits. */
  async pass(name: string): Promise<void> {
    this.#note();
    await this.#scheduler?.schedule(Promise.resolve(), name);
    this.step++;
    this.#note();
  }

  /** Does work whose statements pass in the order of the scheduler, to its end. */
  async drive<T>(scheduler: fc.Scheduler, work: () => Promise<T>): Promise<T> {
    this.#scheduler = scheduler;
    let isDone = false;
    try {
      const done = work().finally(() => {
        isDone = true;
        this.#note();
      });
      // It is waited for below.
      done.catch(() => {});
      while (!isDone) {
        await this.#settled();
        if (scheduler.count() > 0) await scheduler.waitNext(1);
        else if (!isDone) await this.#nextChange(LOOK_AFTER_MS);
      }
      return await done;
    } finally {
      this.#scheduler = undefined;
      for (const hear of this.#unheard.splice(0)) hear();
    }
  }

  /** Waits until nothing moves any more: whatever is under way waits at the gate, or for a lock that somebody at the gate holds. */
  async #settled(): Promise<void> {
    for (let looks = 0; looks < LOOKS; looks++) {
      for (let seen = -1; seen !== this.#changes;) {
        seen = this.#changes;
        for (let turn = 0; turn < TURNS; turn++) await new Promise((next) => setImmediate(next));
      }
      if ([...this.#underWay].every((each) => this.#locked.has(each))) return;
      const changes = this.#changes;
      await this.#nextChange(LOOK_AFTER_MS);
      if (this.#changes !== changes) continue;
      const underWay = new Set(this.#underWay);
      const waiting = await this.#waiting();
      // With nobody under way but those who wait, and nobody having moved since before the look, none of them can move.
      if (this.#changes !== changes || waiting !== underWay.size) continue;
      this.#locked = underWay;
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

  /** Waits until a statement begins or ends, or a command does; for so long at most. */
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
