import { listTimes, livePairs, playerGames, userGames } from '@drawhouse/contract/games';
import type { AdminGame } from '@drawhouse/contract/games';
import { addBalance } from '@drawhouse/contract/game-balance';
import { hundredthsOf } from '@drawhouse/contract/primitives';
import type { Actor } from '../accounts/authority.ts';
import { nameUuid } from '../db/name-uuid.ts';
import type { Services } from '../db/services.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { visibleGames } from './catalogue-rows.ts';
import { changeGameBalance } from './game-balance.ts';
import { listPairs } from './games.sql.ts';
import type { PairRow } from './games.sql.ts';

/** The routes of the draw intervals, of the game and admin pairs, and of the game balance. */
export function gamesRoutes(services: Services): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(userGames, async (_input, { actor }: { actor: Actor }) => {
      const pairs = await listPairs(db, actor);
      // A player needs the admin's id for its calls, and nothing else of the admin.
      const isPlayer = actor.role === 'user';
      const users = new Map(isPlayer ? [] : pairs.map((pair) => [pair.admin_id, pair.admin_username]));
      return {
        games: await visibleGames(db, actor),
        users: [...users].map(([_id, username]) => ({ _id, username })),
        adminGameList: pairs.map((pair) => ({ ...toAdminGame(pair), ...(isPlayer && { username: '' }) })),
      };
    }),
    handle(livePairs, async (_input, { actor }) => ({
      data: (await listPairs(db, actor)).map((pair) => ({
        adminId: pair.admin_id,
        username: pair.admin_username,
        gameId: pair.game_key,
        gameName: pair.name,
      })),
    })),
    handle(playerGames, async (_input, { actor }) => {
      const pairs = (await listPairs(db, actor)).filter((pair) => pair.running);
      return {
        data: pairs.map((pair) => ({
          _id: pair.game_id,
          gameId: pair.game_key,
          gameName: pair.name,
          family: pair.family,
          intervalSeconds: pair.interval_seconds,
        })),
      };
    }),
    handle(addBalance, async ({ body }, call) => {
      const { gameBalance } = await changeGameBalance(services, call, {
        ...body,
        amount: body.balance === undefined ? undefined : hundredthsOf(body.balance)!,
      });
      return {
        message: body.type === 'add' ? 'Balance added successfully!' : 'Balance Reset successfully!',
        gameBalance,
      };
    }),
    handle(listTimes, async () => {
      const rows = await db.query<{ id: string; seconds: number }>('select id, seconds from times order by seconds');
      return { data: rows.map((row) => ({ _id: row.id, timecount: row.seconds })) };
    }),
  ];
}

/** The id of a game and admin pair: neither the game's nor the admin's, and always the same. */
function pairId(pair: PairRow): string {
  return nameUuid(`pair:${pair.admin_id}:${pair.game_id}`);
}

function toAdminGame(pair: PairRow): AdminGame {
  return {
    _id: pairId(pair),
    adminId: pair.admin_id,
    username: pair.admin_username,
    gameId: pair.game_key,
    gameName: pair.name,
    family: pair.family,
  };
}
