import { imageAddress } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { gamePays } from '../pairs/game-pays.ts';
import { GAME, rulesOf, type TimedGame } from '../games.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export interface CatalogueRow extends TimedGame {
  status: Game['status'];
  logo: Buffer | null;
  image: Buffer | null;
  images: string[];
  description: string;
  publisher: string;
  released: string;
  labelled: boolean;
  times: { _id: string; timecount: number }[];
  schedule_name: string | null;
}

export const CATALOGUE = sql`${sql.raw(GAME)}, g.logo, g.image, g.description, g.publisher,
  to_char(g.release_date, 'YYYY-MM-DD') as released, g.labelled,
  (select coalesce(array_agg(encode(o.hash, 'hex') order by o.position), '{}') from game_images o where o.game_id = g.id) as images,
  (select json_agg(json_build_object('_id', t.id, 'timecount', t.seconds) order by gt.position)
   from game_times gt join times t on t.id = gt.time_id where gt.game_id = g.id) as times,
  (select s.name from schedules s where s.id = g.schedule_id) as schedule_name`;

export async function visibleGames(on: Queryable, actor: Actor): Promise<Game[]> {
  const rows = await on.query<CatalogueRow>(
    sql`select ${CATALOGUE} from games g
     where g.deleted_at is null and (${actor.role === 'superadmin'} or exists (select from network_games ng
       where ng.game_id = g.id and ng.network_id = ${actor.networkId}))
     order by lower(g.name) collate natural_order`,
  );
  return rows.map(gameFor(actor));
}

export function gameFor({ role }: Pick<Actor, 'role'>): (row: CatalogueRow) => Game {
  if (role !== 'user') return toGame;
  return (row) => {
    const game = toGame(row);
    return { ...game, returns: game.returns.map((bet) => ({ ...bet, mark: null })) };
  };
}

export async function findGame(on: Queryable, id: string): Promise<Game | undefined> {
  const [row] = await on.query<CatalogueRow>(
    sql`select ${CATALOGUE} from games g where g.id = ${id} and g.deleted_at is null`,
  );
  return row && toGame(row);
}

export function toGame(row: CatalogueRow): Game {
  const rules = rulesOf(row);
  return {
    _id: row.game_id,
    gameId: row.game_key,
    gameName: row.name,
    family: row.family,
    nodigit: row.digits,
    logo: row.logo && imageAddress(row.logo.toString('hex')),
    image: row.image && imageAddress(row.image.toString('hex')),
    images: row.images.map(imageAddress),
    description: row.description,
    publisher: row.publisher,
    releaseDate: row.released,
    status: row.status,
    label: row.labelled ? 'yes' : 'no',
    timeId: row.times,
    schedule: row.schedule_name,
    unitPrice: pointsOf(row.unit_price),
    resultMode: row.result_mode,
    manualClaims: row.manual_claims ? 'yes' : 'no',
    pays: gamePays(row),
    returns: rules.returns.map(({ bet, pay, probability, return: theoretical, mark }) => ({
      bet,
      pay,
      probability,
      return: theoretical,
      mark,
    })),
  };
}
