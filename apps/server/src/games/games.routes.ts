import { listGames, listTimes, livePairs, playerGames, userGames } from '@drawhouse/contract/games';
import type { AdminGame, Game } from '@drawhouse/contract/games';
import { addBalance } from '@drawhouse/contract/game-balance';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { changeGameBalance } from './game-balance.ts';
import { limitsOf } from './game-limits.ts';
import { gamePays } from './game-pays.ts';
import { GAME, listPairs, rulesOf } from './games.sql.ts';
import type { GameRow, PairRow } from './games.sql.ts';
import { pairId } from './pairs.ts';

interface CatalogueRow extends GameRow {
  logo: string | null;
  image: string | null;
  description: string;
  publisher: string;
  released: string;
  labelled: boolean;
  times: { _id: string; timecount: number }[];
}

/** The routes of the catalogue, of the game and admin pairs, and of the game balance. */
export function gamesRoutes(services: Services): BoundRoute<Actor>[] {
  const { db } = services;
  return [
    handle(listGames, async (_input, { actor }) => ({
      message: 'Games fetched successfully',
      data: await visibleGames(db, actor),
    })),
    handle(userGames, (_input, { actor }: { actor: Actor }) => readUserGames(db, actor)),
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
          limits: limitsOf(pair),
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

/** The games, the admins and the pairs of both that the actor sees. */
export async function readUserGames(
  on: Queryable,
  actor: Actor,
): Promise<{ games: Game[]; users: { _id: string; username: string }[]; adminGameList: AdminGame[] }> {
  const pairs = await listPairs(on, actor);
  // A player needs the admin's id for its calls, and nothing else of the admin.
  const isPlayer = actor.role === 'user';
  const users = new Map(isPlayer ? [] : pairs.map((pair) => [pair.admin_id, pair.admin_username]));
  return {
    games: await visibleGames(on, actor),
    users: [...users].map(([_id, username]) => ({ _id, username })),
    adminGameList: pairs.map((pair) => ({ ...toAdminGame(pair), ...(isPlayer && { username: '' }) })),
  };
}

/** The whole catalogue for a superadmin; the own network's games for everybody else. */
async function visibleGames(on: Queryable, actor: Actor): Promise<Game[]> {
  const rows = await on.query<CatalogueRow>(
    `select ${GAME}, g.logo, g.image, g.description, g.publisher, to_char(g.release_date, 'YYYY-MM-DD') as released, g.labelled,
            (select json_agg(json_build_object('_id', t.id, 'timecount', t.seconds) order by gt.position)
             from game_times gt join times t on t.id = gt.time_id where gt.game_id = g.id) as times
     from games g
     where $1 or exists (select from network_games ng where ng.game_id = g.id and ng.network_id = $2)
     order by g.name`,
    [actor.role === 'superadmin', actor.networkId],
  );
  return rows.map(toGame);
}

function toGame(row: CatalogueRow): Game {
  const rules = rulesOf(row);
  return {
    _id: row.game_id,
    gameId: row.game_key,
    gameName: row.name,
    family: row.family,
    nodigit: row.digits,
    logo: row.logo,
    image: row.image,
    images: [],
    description: row.description,
    publisher: row.publisher,
    releaseDate: row.released,
    status: row.status,
    label: row.labelled ? 'yes' : 'no',
    timeId: row.times,
    unitPrice: pointsOf(row.unit_price),
    resultMode: row.result_mode,
    pays: gamePays(row),
    returns: rules.returns.map(({ bet, pay, probability, return: theoretical, above100 }) => ({
      bet,
      pay,
      probability,
      return: theoretical,
      above100,
    })),
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
