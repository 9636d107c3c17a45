import { appendActivity, discardPendingChanges, SYSTEM } from '../../activity/append-activity.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { BUILT_IN_GAMES, BUILT_IN_UNIT_PRICE } from '@drawhouse/rules/games/catalogue';
import type { Tx } from '../../platform/db/database.ts';
import { nameUuid } from '../../platform/db/sql/uuids.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { openWallets, type WalletName } from '../../ledger/wallets.ts';
import { panelChanged } from '../pairs/pairs.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { GAME_TEXTS, GAME_SUBJECTS } from '../games-texts.ts';

/** Identical everywhere, so networks can move between installations. */
function builtInId(gameKey: string): string {
  return nameUuid(`game ${gameKey}`);
}

/** Never adds deleted games. Logs additions by newer versions. */
export async function ensureCatalogue(services: Services): Promise<void> {
  const { db, newId, clock } = services;
  const present = await db.query<{ game_key: string }>(sql`select game_key from games`);
  const keys = new Set(present.map((row) => row.game_key));
  const missing = BUILT_IN_GAMES.filter((game) => !keys.has(game.gameId));
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    for (const game of missing) {
      await tx.query(
        sql`insert into times (id, seconds) values (${newId()}, ${game.intervalSeconds}) on conflict do nothing`,
      );
      const [added] = await tx.query<{ id: string }>(
        sql`insert into games (id, game_key, name, family, digits, description, publisher, release_date, status, labelled,
          unit_price, result_mode)
         values (${builtInId(game.gameId)}, ${game.gameId}, ${game.gameName}, ${game.family}, ${game.digits},
           ${`${game.gameName}, built in`}, 'Drawhouse', ${clock.now()}, 'active', false, ${BUILT_IN_UNIT_PRICE}, 'open')
           on conflict do nothing returning id`,
      );
      if (added)
        await tx.query(
          sql`insert into game_times (game_id, position, time_id) select ${added.id}, 1, id from times
            where seconds = ${game.intervalSeconds}`,
        );
    }
    // The log does not exist yet.
    if (present.length === 0) await discardPendingChanges(tx);
    else
      await appendActivity(
        tx,
        ROOT_NETWORK,
        services,
        missing.map(({ gameId, gameName }) => ({
          accountId: null,
          username: SYSTEM,
          subject: GAME_SUBJECTS.builtInAdded(gameName),
          origin: NOWHERE,
          detail: { gameId },
        })),
      );
  });
}

/** Accepts row ids and keys. Also opens table and escrow wallets. */
export async function assignGames(tx: Tx, networkId: number, games: readonly string[], at: Date): Promise<void> {
  await giveGames(tx, networkId, games, at);
}

async function giveGames(tx: Tx, networkId: number, games: readonly string[], at: Date): Promise<string[]> {
  if (games.length === 0) return [];
  // Same lock order as interval changes, to prevent deadlocks.
  const rows = await tx.query<{ id: string; game_key: string }>(
    sql`select id, game_key from games where (id::text = any(${games}::text[]) or game_key = any(${games}::text[]))
      and deleted_at is null order by id for key share`,
  );
  const taken = new Set(rows.flatMap((row) => [row.id, row.game_key]));
  const unknown = games.filter((game) => !taken.has(game));
  if (unknown.length > 0)
    throw new CallError('INVALID_INPUT', { fields: { games: GAME_TEXTS.noBuiltIn(unknown.join(', ')) } });
  const given = await tx.query<{ game_id: string }>(
    sql`insert into network_games (network_id, game_id, assigned_at) select ${networkId}, id, ${at}
      from unnest(${rows.map((row) => row.id)}::uuid[]) as id on conflict do nothing
     returning game_id`,
  );
  await openWallets(
    tx,
    networkId,
    rows.flatMap(({ id }): WalletName[] => [`table:${id}`, `escrow:${id}`]),
  );
  const givenIds = new Set(given.map((row) => row.game_id));
  return rows.filter(({ id }) => givenIds.has(id)).map(({ game_key }) => game_key);
}

/** A removed game stops taking bets; its current draw finishes and its table keeps the balance. */
export async function setGames(
  services: Pick<Services, 'events'>,
  tx: Tx,
  networkId: number,
  games: readonly string[],
  at: Date,
): Promise<void> {
  const given = await giveGames(tx, networkId, games, at);
  const taken = await tx.query<{ game_key: string }>(
    sql`delete from network_games ng using games g
     where g.id = ng.game_id and ng.network_id = ${networkId}
       and not (g.id::text = any(${games}::text[]) or g.game_key = any(${games}::text[]))
     returning g.game_key`,
  );
  for (const game_key of [...given, ...taken.map((row) => row.game_key)])
    panelChanged(services, tx, { network_id: networkId, game_key });
}
