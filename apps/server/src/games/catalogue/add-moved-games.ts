import { percentOf } from '@drawhouse/contract/core/primitives';
import { newGame } from '@drawhouse/contract/games/game-catalogue';
import { schedulePlan } from '@drawhouse/contract/games/schedules';
import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import { paysInUnits } from '@drawhouse/rules/games/pays';
import { type LoggedPart, runCommand } from '../../activity/run-command.ts';
import type { MovingCall } from '../../accounts/move/moved-admin.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { CATALOGUE, type CatalogueRow, toGame } from './catalogue-rows.ts';
import { readPays, readUnitPrice } from '../pairs/game-pays.ts';
import { recordOf } from './save-game.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { GAME_SUBJECTS, GAME_TEXTS } from '../games-texts.ts';
import type { NetworkSwap } from '../../accounts/move/staged-accounts.ts';
import { setGames } from './built-in-games.ts';
import { limitsOfPair } from '../pairs/game-limits.ts';
import type { PairRow } from '../games.sql.ts';

export const CATALOGUE_TABLES = ['images', 'times', 'schedules', 'games', 'game_images', 'game_times'] as const;
export type MovedCatalogue = Readonly<Record<(typeof CATALOGUE_TABLES)[number], string>>;

/** Existing games stay. Returns a sentence per game with different terms. */
export async function addMovedGames(
  services: Services,
  call: MovingCall,
  elsewhere: MovedCatalogue,
): Promise<readonly string[]> {
  return runCommand(services, call, async (tx) => {
    const { taken, different } = await compare(tx, elsewhere.games);
    if (taken !== null)
      throw new CallError('RULE_REFUSED', {
        message: GAME_TEXTS.keysTaken(taken),
      });
    const missing = await insertMissing(tx, elsewhere);
    const rows = await tx.query<CatalogueRow>(
      sql`select ${CATALOGUE} from games g where g.id = any(${missing}::uuid[]) order by g.game_key`,
    );
    const wrong = rows.filter((row) => !isSound(row)).map(({ game_key }) => game_key);
    if (wrong.length > 0)
      throw new CallError('RULE_REFUSED', {
        message: GAME_TEXTS.unsupported(JSON.stringify(wrong)),
      });
    return {
      result: different === null ? [] : [GAME_TEXTS.termsKept(different)],
      subject: null,
      more: rows.map((row) => ({
        subject: GAME_SUBJECTS.addedByMove(row.name),
        detail: { gameId: row.game_key, after: recordOf(toGame(withTimes(row))) },
      })),
    };
  });
}

/** Deleted games have neither intervals nor outcome images. */
function withTimes(row: CatalogueRow): CatalogueRow {
  return { ...row, times: row.times ?? [] };
}

const KEY = /^[A-Za-z0-9]{1,32}$/;

function isSound(row: CatalogueRow): boolean {
  try {
    const game = toGame(withTimes(row));
    const { _id, gameId, gameName, nodigit, family, publisher, description, releaseDate, unitPrice } = game;
    const fields = { gameName, nodigit, family, publisher, description, releaseDate, unitPrice, timeId: [_id] };
    readUnitPrice(unitPrice);
    readPays(row, row.pays && paysInUnits(row.pays));
    if (row.schedule !== null && !schedulePlan.safeParse(row.schedule).success) return false;
    return KEY.test(gameId) && newGame.safeParse(fields).success;
  } catch (error) {
    if (error instanceof RangeError || error instanceof CallError) return false;
    throw error;
  }
}

const elsewhere = (games: string): Sql => sql`jsonb_populate_recordset(null::games, ${games}::jsonb) as e`;
const TERMS = ['unit_price', 'pays', 'result_mode', 'manual_claims'];

async function compare(tx: Tx, games: string): Promise<{ taken: string | null; different: string | null }> {
  const terms = (of: string): string => `(${TERMS.map((name) => `${of}.${name}`).join(', ')})`;
  const [row] = await tx.query<{ taken: string | null; different: string | null }>(
    sql`select string_agg(e.game_key, ', ' order by e.game_key) filter (
              where g.id <> e.id or (g.game_key, g.family, g.digits) <> (e.game_key, e.family, e.digits)) as taken,
            string_agg(g.name, ', ' order by g.name) filter (where g.id = e.id and ${sql.raw(terms('g'))} is distinct
              from ${sql.raw(terms('e'))}) as different
     from ${elsewhere(games)} join games g on g.id = e.id or g.game_key = e.game_key`,
  );
  return row!;
}

async function insertMissing(
  tx: Tx,
  { images, times, schedules, games, ...parts }: MovedCatalogue,
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`select e.id from ${elsewhere(games)} where e.id not in (select id from games)`,
  );
  const missing = rows.map(({ id }) => id);
  if (missing.length === 0) return missing;
  // A wrong image under this hash would shadow the right one later.
  const [other] = await tx.query<{ found: boolean }>(
    sql`select exists (select from jsonb_populate_recordset(null::images, ${images}::jsonb) as e
      where e.hash <> sha256(e.content)) as found`,
  );
  if (other!.found)
    throw new CallError('RULE_REFUSED', {
      message: GAME_TEXTS.wrongImages,
    });
  await tx.query(
    sql`insert into images select e.* from jsonb_populate_recordset(null::images, ${images}::jsonb) as e where e.hash in (
       select unnest(array[e.logo, e.image]) from ${elsewhere(games)} where e.id = any(${missing}::uuid[]) union
       select o.hash from jsonb_populate_recordset(null::game_images, ${parts.game_images}::jsonb) as o
         where o.game_id = any(${missing}::uuid[])) on conflict do nothing`,
  );
  await tx.query(
    sql`insert into times select e.* from jsonb_populate_recordset(null::times, ${times}::jsonb) as e where e.id in (
       select o.time_id from jsonb_populate_recordset(null::game_times, ${parts.game_times}::jsonb) as o
         where o.game_id = any(${missing}::uuid[])) on conflict do nothing`,
  );
  await tx.query(
    sql`insert into schedules select e.* from jsonb_populate_recordset(null::schedules, ${schedules}::jsonb) as e where e.id in (
       select g.schedule_id from jsonb_populate_recordset(null::games, ${games}::jsonb) as g
         where g.id = any(${missing}::uuid[])) on conflict do nothing`,
  );
  await tx.query(sql`insert into games select e.* from ${elsewhere(games)} where e.id = any(${missing}::uuid[])`);
  await tx.query(
    sql`insert into game_images select e.* from jsonb_populate_recordset(null::game_images, ${parts.game_images}::jsonb) as e
      where e.game_id = any(${missing}::uuid[])`,
  );
  await tx.query(
    sql`insert into game_times (game_id, position, time_id)
     select e.game_id, e.position, t.id from jsonb_populate_recordset(null::game_times, ${parts.game_times}::jsonb) as e
     join jsonb_populate_recordset(null::times, ${times}::jsonb) as elsewhere on elsewhere.id = e.time_id
     join times t on t.seconds = elsewhere.seconds where e.game_id = any(${missing}::uuid[])`,
  );
  return missing;
}

/** Draws of a game with an unknown beacon would never open, so throws RULE_REFUSED. */
export async function requireBeacons(on: Queryable, staged: number, known: readonly string[]): Promise<void> {
  const [missing] = await on.query<{ key: string }>(
    sql`select key from network_games, unnest(beacons) as key where network_id = ${staged} and key <> all(${known}::text[]) limit 1`,
  );
  if (missing)
    throw new CallError('RULE_REFUSED', {
      message: GAME_TEXTS.beaconMissing(beaconName({ publicKey: missing.key })),
    });
}

type RemoteGame = Pick<
  PairRow,
  'game_key' | 'name' | 'win_percentage' | 'per_number' | 'per_ticket' | 'per_player' | 'beacons'
>;

/** Uses games and settings of the staged copy, except games deleted here. Returns log rows. */
export async function importGames(
  services: Pick<Services, 'events'>,
  tx: Tx,
  {
    adminId,
    staged,
    live,
    username,
    at,
  }: NetworkSwap & { readonly adminId: string; readonly username: string; readonly at: Date },
): Promise<LoggedPart[]> {
  const games = await tx.query<RemoteGame>(
    sql`select g.game_key, g.name, ng.win_percentage, ng.per_number, ng.per_ticket, ng.per_player, ng.beacons
     from network_games ng join games g on g.id = ng.game_id where ng.network_id = ${staged} and g.deleted_at is null order by g.id`,
  );
  await setGames(
    services,
    tx,
    live,
    games.map(({ game_key }) => game_key),
    at,
  );
  await tx.query(
    sql`update network_games l set win_percentage = b.win_percentage, per_number = b.per_number, per_ticket = b.per_ticket,
      per_player = b.per_player, beacons = b.beacons, closures = b.closures
     from network_games b where l.network_id = ${live} and b.network_id = ${staged} and b.game_id = l.game_id`,
  );
  const named = ({ game_key, name }: RemoteGame) => ({ gameId: game_key, gameName: name });
  return [
    {
      subject: GAME_SUBJECTS.percentagesRestored(username),
      detail: {
        percentages: games.map((game) => ({
          adminId,
          adminName: username,
          ...named(game),
          before: null,
          after: game.win_percentage === null ? null : percentOf(game.win_percentage),
        })),
      },
    },
    {
      subject: GAME_SUBJECTS.limitsRestored(username),
      detail: {
        adminId,
        adminName: username,
        limits: games.map((game) => ({ ...named(game), before: NO_LIMITS, after: limitsOfPair(game) })),
      },
    },
    {
      subject: GAME_SUBJECTS.beaconsRestored(username),
      detail: {
        adminId,
        adminName: username,
        beacons: games.flatMap((game) =>
          game.beacons.length > 0 ? [{ ...named(game), before: [], after: game.beacons }] : [],
        ),
      },
    },
  ];
}

const NO_LIMITS = limitsOfPair({ per_number: null, per_ticket: null, per_player: null });
