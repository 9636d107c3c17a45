import { hash, randomBytes } from 'node:crypto';
import {
  WALL_KEY_PREFIX,
  WALL_RESULTS,
  type makeWall,
  type wall,
  type WallTable,
} from '@drawhouse/contract/players/wall';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../accounts/authority.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import { readNetworkGames, type NetworkGame } from '../draws/schedule/network-games.ts';
import { allOutcomeImages } from '../games/catalogue/game-images.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { asUuid } from '../platform/db/sql/uuids.ts';
import type { Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { timeWords } from '../protection/protection-texts.ts';
import type { Services } from '../platform/services.ts';
import { PLAYER_TEXTS, PLAYER_SUBJECTS } from './players-texts.ts';

const ID_BYTES = 16;
const SECRET_BYTES = 32;

/** All screens of a network share one read per second. */
const CACHED_MS = 1_000;
const MAX_NETWORKS = 1_000;

type ShownWall = RouteResult<typeof wall>;

export async function wallMadeAt(on: Queryable, networkId: number): Promise<Date | undefined> {
  const [row] = await on.query<{ wall_made_at: Date }>(
    sql`select wall_made_at from landing_settings where network_id = ${networkId} and wall_key_hash is not null`,
  );
  return row?.wall_made_at;
}

/** Returns the key's only copy; the previous key ends. */
export async function makeWallKey(
  services: Services,
  call: Call<Actor>,
): Promise<RouteResult<typeof makeWall> & { message: string }> {
  const { id: adminId, networkId, username } = call.actor;
  // Keeps the lookup within one network.
  const id = Buffer.from(adminId.replaceAll('-', ''), 'hex');
  const key = WALL_KEY_PREFIX + Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url');
  return runCommand(services, call, async (tx, at) => {
    const before = await wallMadeAt(tx, networkId);
    await tx.query(
      sql`insert into landing_settings (network_id, wall_key_hash, wall_made_at)
       values (${networkId}, ${hash('sha256', key, 'buffer')}, ${at})
       on conflict (network_id) do update set wall_key_hash = excluded.wall_key_hash, wall_made_at = excluded.wall_made_at`,
    );
    return {
      result: { message: PLAYER_TEXTS.wallCreated, key, madeAt: at.toISOString() },
      subject: PLAYER_SUBJECTS.wallCreated(username),
      detail: { adminId, wall: 'made' },
      changes: changeOf('Public wall', inWords(before, services.timeZone), 'New link'),
    };
  });
}

export async function withdrawWallKey(services: Services, call: Call<Actor>): Promise<{ message: string }> {
  const { id: adminId, networkId, username } = call.actor;
  return runCommand(services, call, async (tx) => {
    const before = await wallMadeAt(tx, networkId);
    if (before)
      await tx.query(
        sql`update landing_settings set wall_key_hash = null, wall_made_at = null where network_id = ${networkId}`,
      );
    return {
      result: { message: PLAYER_TEXTS.wallWithdrawn },
      subject: before ? PLAYER_SUBJECTS.wallWithdrawn(username) : null,
      detail: { adminId, wall: 'withdrawn' },
      changes: changeOf('Public wall', inWords(before, services.timeZone), 'None'),
    };
  });
}

const inWords = (madeAt: Date | undefined, timeZone: string): string =>
  madeAt ? `Link of ${timeWords(madeAt, timeZone)}` : 'None';

/** A restore must not revive a withdrawn key. */
export async function keepWallKey(tx: Tx, { staged, live }: { staged: number; live: number }): Promise<void> {
  await tx.query(
    sql`update landing_settings set wall_key_hash = null, wall_made_at = null where network_id = ${staged} and wall_key_hash is not null`,
  );
  await tx.query(
    sql`insert into landing_settings (network_id, wall_key_hash, wall_made_at)
     select ${staged}::int, l.wall_key_hash, l.wall_made_at from landing_settings l
     where l.network_id = ${live} and l.wall_key_hash is not null
     on conflict (network_id) do update set wall_key_hash = excluded.wall_key_hash, wall_made_at = excluded.wall_made_at`,
  );
}

/** Throws NOT_FOUND for an unknown or withdrawn key, and while the admin or its superadmin is inactive. */
export function createWall(services: Services): (key: string) => Promise<ShownWall> {
  const cache = new LRUCache<number, { atMs: number; shown: Promise<ShownWall> }>({ max: MAX_NETWORKS });
  return async (key) => {
    const networkId = await networkOf(services.db, key);
    if (networkId === undefined) throw new CallError('NOT_FOUND', { message: PLAYER_TEXTS.wallGone });
    const atMs = services.clock.now().getTime();
    const cached = cache.get(networkId);
    if (cached && Math.abs(atMs - cached.atMs) < CACHED_MS) return cached.shown;
    const reading = { atMs, shown: readWall(services, networkId) };
    cache.set(networkId, reading);
    reading.shown.catch(() => void (cache.peek(networkId) === reading && cache.delete(networkId)));
    return reading.shown;
  };
}

async function networkOf(on: Queryable, key: string): Promise<number | undefined> {
  const adminId = asUuid(Buffer.from(key.slice(WALL_KEY_PREFIX.length), 'base64url').toString('hex', 0, ID_BYTES));
  const [network] = await on.query<{ id: number }>(
    sql`select n.id from networks n join landing_settings s on s.network_id = n.id join accounts a on a.id = n.admin_id
     where n.admin_id = ${adminId} and s.wall_key_hash = ${hash('sha256', key, 'buffer')}
       and not exists (select from accounts up where up.id = any(a.chain) and (not up.active or up.deleted_at is not null))
       ${sql.raw(crossNetworkComment('wall'))}`.named('wall-find'),
  );
  return network?.id;
}

async function readWall({ db, clock }: Services, networkId: number): Promise<ShownWall> {
  const now = clock.now();
  const [games, images] = await Promise.all([readNetworkGames(db, networkId, now, WALL_RESULTS), allOutcomeImages(db)]);
  return {
    serverTime: now.toISOString(),
    data: games.map((game) => toWallTable(game, images.get(game.pair.game_id) ?? [])),
  };
}

function toWallTable({ pair, draw, nextOpensAt, results, awaited }: NetworkGame, images: readonly string[]): WallTable {
  const { commitment: _commitment, ...shown } = draw ?? { commitment: null };
  return {
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
    digits: pair.digits,
    images: [...images],
    draw: draw === null ? null : (shown as WallTable['draw']),
    nextOpensAt: nextOpensAt?.toISOString() ?? null,
    results: [...results],
    awaited: [...awaited],
  };
}
