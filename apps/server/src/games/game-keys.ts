import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** The keys of the games that there are, or were: whether one of them is open, and to whom, the statements judge that need it. */
export interface GameKeys {
  /** Whether a key is known to be one. */
  has(key: string): boolean;
  /** The same, asked of the database where it is not known: one look for all who ask meanwhile. */
  find(key: string): Promise<boolean>;
}

/**
 * Remembers the keys. None is ever taken back, so what is known stays true; a game that is new is found by the next look. `onError` hears
 * once of a look that failed, however many asked.
 */
export function createGameKeys(db: Queryable, onError: (error: unknown) => void): GameKeys {
  let keys: ReadonlySet<string> = new Set();
  let last: Promise<void> = Promise.resolve();
  /** A look that has not begun: it will see whatever was there when somebody asked for it. */
  let next: Promise<void> | undefined;

  async function look(): Promise<void> {
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
      // Where a look is under way, those who asked before it ended come before those who ask after it.
      await last.catch(() => {});
      if (keys.has(key)) return true;
      if (!next) last = next = last.then(look, look);
      await next;
      return keys.has(key);
    },
  };
}
