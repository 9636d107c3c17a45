import type { gameList } from '@drawhouse/contract/games/game-catalogue';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import type { Actor } from '../../accounts/authority.ts';
import type { ListSource } from '../../platform/lists/list-source.ts';
import { allRows, inOwnNetwork, type Predicate, relatedToVisible } from '../../platform/db/visibility-predicate.ts';
import { CATALOGUE, type CatalogueRow, gameFor } from './catalogue-rows.ts';
import { GAME_TEXTS } from '../games-texts.ts';
import type { Queryable } from '../../platform/db/database.ts';

export const WHOLE_CATALOGUE: Predicate = allRows('All superadmins share one catalogue.');

export function seenGames(actor: Actor): Predicate {
  return actor.role === 'superadmin'
    ? WHOLE_CATALOGUE
    : relatedToVisible({
        from: sql`network_games ng`,
        where: sql`ng.game_id = g.id`,
        authority: inOwnNetwork('ng', actor),
      });
}

export function gameSource(actor: Actor): ListSource<typeof gameList, CatalogueRow> {
  const text = (column: string) => sql`lower(${sql.ref(column)}) collate "C"`;
  return {
    from: sql`games g`,
    authority: seenGames(actor),
    where: sql`g.deleted_at is null`,
    key: sql`g.id`,
    select: CATALOGUE,
    toRow: gameFor(actor),
    reading: 'rows',
    extra: () => ({ message: GAME_TEXTS.fetched }),
    order: {
      gameId: text('g.game_key'),
      gameName: naturalOrder(sql`g.name`),
      nodigit: sql`g.digits`,
      time: sql`(select t.seconds from game_times gt join times t on t.id = gt.time_id where gt.game_id = g.id
        order by gt.position limit 1)`,
      status: text('g.status'),
      publisher: text('g.publisher'),
      releaseDate: sql`g.release_date`,
    },
    filters: { status: (status) => sql`g.status = ${status}` },
    search: (pattern) => sql`(g.name ilike ${pattern} or g.game_key ilike ${pattern} or g.publisher ilike ${pattern})`,
  };
}

/** Includes past games. Says nothing about being open. */
interface GameKeys {
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
