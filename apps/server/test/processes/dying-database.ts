import type { Database, Queryable, Tx } from '../../src/platform/db/database.ts';
import { DatabaseUnavailable } from '../../src/platform/db/connection/unavailable.ts';

/** `answer`: the commit was sent, its answer lost. */
export type Before = 'statement' | 'commit' | 'answer';

/** Fails forever once `dies` returns true; asked before each statement and commit. */
export function dyingAt(db: Database, dies: (before: Exclude<Before, 'answer'>) => boolean): Database {
  return dyingAnywhere(db, (before) => before !== 'answer' && dies(before));
}

/**
 * Stops answering at the first long transaction after a statement that matches. Short statements then fail, as after
 * their timeout; the long transaction waits forever.
 */
export function hangingAfter(db: Database, statement: RegExp): Database & { readonly hangs: boolean } {
  let [isNext, hangs] = [false, false];
  const unlessHanging = <T>(act: () => Promise<T>): Promise<T> =>
    hangs ? Promise.reject(new DatabaseUnavailable(new Error('Query read timeout'))) : act();
  return {
    ...db,
    get hangs() {
      return hangs;
    },
    query: (text, ...values) => {
      isNext ||= statement.test(String(text));
      return unlessHanging(() => db.query(text, ...values));
    },
    transaction: (act, patience) => {
      if (!isNext || !patience || hangs) return unlessHanging(() => db.transaction(act, patience));
      hangs = true;
      return new Promise(() => {});
    },
  };
}

/** Can also die before a commit's answer. `dies` must stay true afterwards. */
export function dyingAnywhere(db: Database, dies: (before: Before) => boolean): Database {
  const alive = async <T>(before: Before, ask: () => Promise<T>): Promise<T> => {
    if (dies(before)) throw new DatabaseUnavailable(new Error('Connection terminated'));
    return ask();
  };
  const guarded = <Q extends Queryable>(on: Q): Q => ({
    ...on,
    query: (text: string, values?: readonly unknown[], name?: string) =>
      alive('statement', () => on.query(text, values, name)),
  });
  const inTransaction = (tx: Tx): Tx => ({
    ...guarded<Tx>(tx),
    send: (...given) => alive('statement', () => tx.send(...given)),
  });
  const answered = <T>(result: T): Promise<T> => alive('answer', () => Promise.resolve(result));
  const acting =
    <T>(act: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      const result = await act(inTransaction(tx));
      return alive('commit', async () => result);
    };
  return {
    ...guarded(db),
    transaction: (act, patience) => alive('statement', () => db.transaction(acting(act), patience)).then(answered),
    pipelined: (act) => alive('statement', () => db.pipelined(acting(act))).then(answered),
    patient: { ...guarded(db.patient), until: (signal) => guarded(db.patient.until(signal)) },
  };
}
