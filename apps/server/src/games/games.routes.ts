import { playerGames, userGames, type AdminGame, type Game } from '@drawhouse/contract/games/games';
import { addBalance, livePairs } from '@drawhouse/contract/games/game-pair';
import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { handle, type BoundRoute } from '../platform/http/handler.ts';
import { visibleGames } from './catalogue/catalogue-rows.ts';
import { changeGameBalance, type TableNeeds } from './pairs/change-game-balance.ts';
import { limitsOfPair, changeLimits, readGameLimits } from './pairs/game-limits.ts';
import { listPairs, type PairRow } from './games.sql.ts';
import { pairId } from './pairs/pairs.ts';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { percentages, setPercentages } from '@drawhouse/contract/games/percentages';
import { readPercentages } from './percentages/read-percentages.ts';
import { changePercentages, type FindNextDraws } from './percentages/set-percentages.ts';
import { GAME_TEXTS } from './games-texts.ts';

export function gamesRoutes(services: Services, tables: TableNeeds): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(userGames, (_input, { actor }: { actor: Actor }) => readUserGames(db, actor)),
    handle(livePairs, async (_input, { actor }) => ({
      data: (await listPairs(db, actor)).map((pair) => ({
        adminId: pair.admin_id,
        username: pair.admin_username,
        testNetwork: pair.test_network,
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
          limits: limitsOfPair(pair),
        })),
      };
    }),
    handle(addBalance, async ({ body }, call) => {
      const amount = body.type === 'add' ? hundredthsOf(body.balance!)! : null;
      const { gameBalance } = await changeGameBalance(services, call, { ...body, amount }, tables);
      return {
        message: body.type === 'add' ? GAME_TEXTS.balanceAdded : GAME_TEXTS.balanceReset,
        gameBalance,
      };
    }),
  ];
}

async function readUserGames(
  on: Queryable,
  actor: Actor,
): Promise<{ games: Game[]; users: { _id: string; username: string }[]; adminGameList: AdminGame[] }> {
  const pairs = await listPairs(on, actor);
  // Calls need the admin's id, but players may not see the rest.
  const isPlayer = actor.role === 'user';
  const users = new Map(isPlayer ? [] : pairs.map((pair) => [pair.admin_id, pair.admin_username]));
  return {
    games: await visibleGames(on, actor),
    users: [...users].map(([_id, username]) => ({ _id, username })),
    adminGameList: pairs.map((pair) => ({ ...toAdminGame(pair), ...(isPlayer && { username: '' }) })),
  };
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

export function limitsRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    handle(listLimits, async ({ params }, { actor }: { actor: Actor }) => ({
      data: await readGameLimits(services.db, actor, params.adminId),
    })),
    handle(setLimits, ({ params, body }, call) => changeLimits(services, call, params.adminId, body.updates)),
  ];
}

export function percentagesRoutes(services: Services, findNextDraws: FindNextDraws): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(percentages, async (_input, { actor }: { actor: Actor }) => ({
      data: await readPercentages(services, db, await listPairs(db, actor)),
      ...(await readUserGames(db, actor)),
    })),
    handle(setPercentages, ({ body }, call) => changePercentages(services, findNextDraws, call, body.updates)),
  ];
}
