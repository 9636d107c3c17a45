import type { Database, Queryable, Tx } from '../src/db/database.ts';
import { DatabaseUnavailable } from '../src/db/unavailable.ts';

/** A database whose server is gone once `dies` says so, which is asked before each statement and each commit. */
export function dyingAt(db: Database, dies: () => boolean): Database {
  const alive = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (dies()) throw new DatabaseUnavailable(new Error('Connection terminated'));
    return ask();
  };
  const guarded = <Q extends Queryable>(on: Q): Q => ({
    ...on,
    query: (text: string, values?: readonly unknown[], name?: string) => alive(() => on.query(text, values, name)),
  });
  return {
    ...guarded(db),
    transaction: (act, patience) =>
      alive(() =>
        db.transaction(async (tx) => {
          const result = await act(guarded<Tx>(tx));
          // The commit is never sent.
          return alive(async () => result);
        }, patience),
      ),
    patient: { ...guarded(db.patient), until: (signal) => guarded(db.patient.until(signal)) },
  };
}
