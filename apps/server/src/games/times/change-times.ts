import type { DrawTime } from '@drawhouse/contract/games/times';
import type { Actor } from '../../accounts/authority.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { selectVisible, type Predicate } from '../../platform/db/visibility-predicate.ts';
import { WHOLE_CATALOGUE } from '../catalogue/game-source.ts';
import { gamePanelsChanged } from '../pairs/pairs.ts';
import { GAME_TEXTS, GAME_SUBJECTS } from '../games-texts.ts';

/** Lets each change detect duplicate intervals and names. */
export const LOCK_TIMES = sql`select pg_advisory_xact_lock(738215005)`;

export interface TimeRow {
  id: string;
  seconds: number;
  games: DrawTime['games'];
}

export function gamesOfTime(authority: Predicate): Sql {
  const games = selectVisible({
    select: sql`coalesce(jsonb_agg(jsonb_build_object('_id', g.id, 'gameId', g.game_key, 'gameName', g.name, 'draws', gt.position = (
       select min(first.position) from game_times first where first.game_id = g.id))
         order by lower(g.name) collate natural_order, g.id), '[]')`,
    from: sql`game_times gt join games g on g.id = gt.game_id`,
    authority,
    where: sql`gt.time_id = t.id`,
  });
  return sql`(${games})`;
}

export async function requireTime(on: Queryable, id: string): Promise<TimeRow> {
  const [row] = await on.query<TimeRow>(sql`select t.id, t.seconds, ${gamesOfTime(WHOLE_CATALOGUE)} as games
        from times t where t.id = ${id}`);
  if (!row) throw new CallError('NOT_FOUND', { message: GAME_TEXTS.timeMissing });
  return row;
}

export function toTime({ id, seconds, games }: TimeRow): DrawTime {
  return { _id: id, timecount: seconds, games };
}

export function addTime(services: Services, call: Call<Actor>, seconds: number): Promise<DrawTime> {
  return runCommand(services, call, async (tx) => {
    await tx.query(LOCK_TIMES);
    await requireFree(tx, seconds);
    const id = services.newId();
    await tx.query(sql`insert into times (id, seconds) values (${id}, ${seconds})`);
    return {
      result: toTime({ id, seconds, games: [] }),
      subject: GAME_SUBJECTS.timeAdded(seconds),
      detail: { timeId: id, after: { seconds } },
    };
  });
}

/** Locks games using this time, so no draw opens with the old interval after commit. Running draws keep theirs. */
export function changeTime(
  services: Services,
  call: Call<Actor>,
  { id, seconds }: { id: string; seconds: number },
): Promise<DrawTime> {
  return runCommand(services, call, async (tx) => {
    await tx.query(LOCK_TIMES);
    const time = await requireTime(tx, id);
    const drawing = time.games.filter((game) => game.draws);
    await tx.query(
      sql`select from games where id = any(${drawing.map((game) => game._id)}::uuid[]) order by id for update`,
    );
    if (time.seconds !== seconds) {
      await requireFree(tx, seconds);
      await tx.query(sql`update times set seconds = ${seconds} where id = ${id}`);
      for (const game of drawing) await gamePanelsChanged(services, tx, { game_id: game._id, game_key: game.gameId });
    }
    const ofGames = drawing.length === 0 ? '' : GAME_SUBJECTS.timeGames(namesOf(drawing));
    return {
      result: toTime({ ...time, seconds }),
      subject: time.seconds === seconds ? null : GAME_SUBJECTS.timeChanged(time.seconds, seconds, ofGames),
      detail: {
        timeId: id,
        before: { seconds: time.seconds },
        after: { seconds },
        games: drawing.map((game) => game.gameId),
      },
      changes: drawing.flatMap(({ gameName }) =>
        changeOf('Drawn every', `${time.seconds} s`, `${seconds} s`, gameName),
      ),
    };
  });
}

export function deleteTime(services: Services, call: Call<Actor>, id: string): Promise<void> {
  return runCommand(services, call, async (tx) => {
    // Blocks concurrent assignment to a game.
    await tx.query(sql`select from times where id = ${id} for update`);
    const { games, seconds } = await requireTime(tx, id);
    if (games.length > 0)
      throw new CallError('TIME_IN_USE', {
        message: GAME_TEXTS.timeInUse(namesOf(games), games.length),
      });
    await tx.query(sql`delete from times where id = ${id}`);
    return {
      result: undefined,
      subject: GAME_SUBJECTS.timeDeleted(seconds),
      detail: { timeId: id, before: { seconds } },
    };
  });
}

async function requireFree(tx: Tx, seconds: number): Promise<void> {
  const taken = await tx.query(sql`select from times where seconds = ${seconds}`);
  if (taken.length > 0) throw new CallError('TIME_TAKEN', { fields: { timecount: GAME_TEXTS.timeTaken(seconds) } });
}

const NAMED = 3;

export function namesOf(games: readonly { readonly gameName: string }[]): string {
  const names = games.slice(0, NAMED).map(({ gameName }) => gameName);
  const more = games.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : new Intl.ListFormat('en').format(names);
}
