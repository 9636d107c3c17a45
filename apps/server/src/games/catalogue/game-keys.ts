import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Includes past games. Says nothing about being open. */
export interface GameKeys {
  has(key: string): boolean;
  /** Asks the database on a miss; one query serves concurrent misses. */
  find(key: string): Promise<boolean>;
}

/**
 * Keys are never reused, so hits stay valid and new games appear on the next query. `onError` is called once per failed
 * query.
 */
export function createGameKeys(db: Queryable, onError: (error: unknown) => void): GameKeys {
  let keys: ReadonlySet<string> = new Set();
  let last: Promise<void> = Promise.resolve();
  /** Starts after every caller that shares it. */
  let next: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    next = undefined;
    try {
      const rows = await db.query<{ game_key: string }>(sql`select game_key from games`.named('game-keys'));
      keys = new Set(rows.map((row) => row.game_key));
    } catch (error) {
      onError(error);
      throw error;
    }
  }

  return {
    has: (key) => keys.has(key),
    async find(key) {
      // The running query may have found the key.
      await last.catch(() => {});
      if (keys.has(key)) return true;
      if (!next) last = next = last.then(refresh, refresh);
      await next;
      return keys.has(key);
    },
  };
}
