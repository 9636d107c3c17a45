import { FAVORITE_LIMITS } from '@drawhouse/contract/players/player-limits';
import type { deleteFavorite, listFavorites, pinGame, saveFavorite } from '@drawhouse/contract/players/favorites';
import type { RouteInput, RouteResult } from '@drawhouse/contract/core/route';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import { expand } from '@drawhouse/rules/bet-text/expand';
import { rulesFor } from '@drawhouse/rules/games/rules';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import { findOwnPair } from '../games/games.sql.ts';
import { gameNotOpen } from '../games/pairs/pairs.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';
import { PLAYER_TEXTS, PLAYER_SUBJECTS } from './players-texts.ts';

type Favorite = RouteResult<typeof listFavorites>['data'][number];
type Owner = Pick<Actor, 'id' | 'networkId'>;

export async function readFavorites(on: Queryable, { id, networkId }: Owner, gameKey: string): Promise<Favorite[]> {
  return on.query<Favorite>(
    sql`select id as "_id", name, bets from favorites
        where network_id = ${networkId} and account_id = ${id} and game_key = ${gameKey} and name <> '' order by saved_at desc, id desc`,
  );
}

export async function saveBets(
  services: Services,
  call: Call<Actor>,
  { gameId, name, bets }: RouteInput<typeof saveFavorite>['body'],
): Promise<RouteResult<typeof saveFavorite>> {
  const { actor } = call;
  return runCommand(services, call, async (tx, at) => {
    const pair = await findOwnPair(tx, { networkId: actor.networkId, gameKey: gameId });
    if (!pair) throw gameNotOpen();
    const rules = rulesFor({ gameId: pair.game_key, family: pair.family, digits: pair.digits });
    const [problem] = expand(bets, rules, TICKET_LIMITS).problems;
    if (problem) throw new CallError('INVALID_INPUT', { fields: { bets: `${problem.part}: ${problem.message}` } });
    await store(tx, actor, { _id: services.newId(), name, bets }, { gameId, at });
    return {
      result: { message: `${name} saved.`, data: await readFavorites(tx, actor, gameId) },
      subject: PLAYER_SUBJECTS.favoriteSaved(name, pair.name),
      detail: { favorite: name, gameId },
    };
  });
}

async function store(
  tx: Tx,
  { id, networkId }: Owner,
  { _id, name, bets }: Favorite,
  { gameId, at }: { gameId: string; at: Date },
): Promise<void> {
  // One player's favorites must not exceed the limit.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('favorites ' || ${id}::text, 0))`);
  const others = (await readFavorites(tx, { id, networkId }, gameId)).filter((each) => each.name !== name);
  if (others.length >= FAVORITE_LIMITS.most)
    throw new CallError('RULE_REFUSED', {
      message: PLAYER_TEXTS.tooManyFavorites(FAVORITE_LIMITS.most),
    });
  await tx.query(
    sql`insert into favorites (saved_at, id, account_id, network_id, game_key, name, bets)
        values (${at}, ${_id}, ${id}, ${networkId}, ${gameId}, ${name}, ${bets})
        on conflict (network_id, account_id, game_key, name)
          do update set saved_at = excluded.saved_at, bets = excluded.bets`,
  );
}

export async function removeFavorite(
  services: Services,
  call: Call<Actor>,
  favoriteId: string,
): Promise<RouteResult<typeof deleteFavorite>> {
  const { id, networkId } = call.actor;
  return runCommand(services, call, async (tx) => {
    const [gone] = await tx.query<{ name: string; game_key: string }>(
      sql`delete from favorites where network_id = ${networkId} and account_id = ${id} and id = ${favoriteId}
          returning name, game_key`,
    );
    if (!gone) throw new CallError('NOT_FOUND', { message: PLAYER_TEXTS.favoriteGone });
    return {
      result: { message: `${gone.name} deleted.` },
      subject: PLAYER_SUBJECTS.favoriteDeleted(gone.name),
      detail: { favorite: gone.name, gameId: gone.game_key },
    };
  });
}

/** A favorite without name and bets pins its game. */
export async function readPins(on: Queryable, { id, networkId }: Owner): Promise<ReadonlySet<string>> {
  const rows = await on.query<{ game_key: string }>(
    sql`select game_key from favorites where network_id = ${networkId} and account_id = ${id} and name = ''`,
  );
  return new Set(rows.map(({ game_key }) => game_key));
}

export async function changePin(
  services: Services,
  call: Call<Actor>,
  { gameId, pinned }: RouteInput<typeof pinGame>['body'],
): Promise<RouteResult<typeof pinGame>> {
  const { id, networkId } = call.actor;
  return runCommand(services, call, async (tx, at) => {
    const pair = await findOwnPair(tx, { networkId, gameKey: gameId });
    if (!pair) throw gameNotOpen();
    await tx.query(
      pinned
        ? sql`insert into favorites (saved_at, id, account_id, network_id, game_key, name, bets)
              values (${at}, ${services.newId()}, ${id}, ${networkId}, ${gameId}, '', '')
              on conflict (network_id, account_id, game_key, name) do nothing`
        : sql`delete from favorites
              where network_id = ${networkId} and account_id = ${id} and game_key = ${gameId} and name = ''`,
    );
    return {
      result: { message: pinned ? `${pair.name} is pinned.` : `${pair.name} is no longer pinned.` },
      subject: `${pinned ? 'Pinned' : 'Unpinned'} ${pair.name}`,
      detail: { gameId, pinned },
    };
  });
}
