import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';
import {
  planOf,
  VOID_AFTER_HOURS,
  weekdaysText,
  type Schedule,
  type ScheduleFields,
} from '@drawhouse/contract/games/schedules';
import type { ClockSchedule } from '@drawhouse/rules/time/clock-slots';
import type { Actor } from '../../accounts/authority.ts';
import { changeOf } from '../../activity/append-activity.ts';
import type { Change } from '@drawhouse/contract/activity/activity';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { gamePanelsChanged } from '../pairs/pairs.ts';
import { GAME_TEXTS, GAME_SUBJECTS } from '../games-texts.ts';
import { namesOf, LOCK_TIMES } from './change-times.ts';

export interface ScheduleRow {
  id: string;
  name: string;
  plan: ClockSchedule;
  games: Schedule['games'];
}

/** Schedules `s`. All superadmins share one catalogue. */
export const SCHEDULE = sql`s.id, s.name, s.plan, (
  select coalesce(jsonb_agg(jsonb_build_object('_id', g.id, 'gameId', g.game_key, 'gameName', g.name)
    order by ${naturalOrder(sql`g.name`)}, g.id), '[]') from games g where g.schedule_id = s.id) as games`;

export async function requireSchedule(on: Queryable, id: string): Promise<ScheduleRow> {
  const [row] = await on.query<ScheduleRow>(sql`select ${SCHEDULE} from schedules s where s.id = ${id}`);
  if (!row) throw new CallError('NOT_FOUND', { message: GAME_TEXTS.scheduleMissing });
  return row;
}

export function toSchedule({ id, name, plan, games }: ScheduleRow): Schedule {
  return { _id: id, name, ...planOf(plan), games };
}

export function addSchedule(services: Services, call: Call<Actor>, fields: ScheduleFields): Promise<Schedule> {
  return runCommand(services, call, async (tx) => {
    await tx.query(LOCK_TIMES);
    const id = services.newId();
    await requireFreeName(tx, fields.name, id);
    requireSourcesOfDraws(fields);
    await tx.query(
      sql`insert into schedules (id, name, plan) values (${id}, ${fields.name}, ${JSON.stringify(planOf(fields))})`,
    );
    await setGames(services, tx, { id, games: fields.games, isChanged: false });
    const added = await requireSchedule(tx, id);
    return {
      result: toSchedule(added),
      subject: GAME_SUBJECTS.scheduleAdded(fields.name),
      detail: { scheduleId: id },
      changes: changesOf(undefined, added),
    };
  });
}

/** Locks all its games, so no draw opens by the old schedule after commit. Running draws keep their times. */
export function changeSchedule(
  services: Services,
  call: Call<Actor>,
  { id, ...fields }: ScheduleFields & { readonly id: string },
): Promise<Schedule> {
  return runCommand(services, call, async (tx) => {
    await tx.query(LOCK_TIMES);
    const before = await requireSchedule(tx, id);
    await requireFreeName(tx, fields.name, id);
    const { sources = before.plan.sources, voidAfter = before.plan.voidAfter } = fields;
    const wanted = { ...fields, sources, voidAfter };
    requireSourcesOfDraws(wanted);
    const plan = JSON.stringify(planOf(wanted));
    const isChanged = JSON.stringify(planOf(before.plan)) !== plan;
    await setGames(services, tx, { id, games: fields.games, isChanged });
    if (isChanged || before.name !== fields.name)
      await tx.query(sql`update schedules set name = ${fields.name}, plan = ${plan} where id = ${id}`);
    const after = await requireSchedule(tx, id);
    return {
      result: toSchedule(after),
      subject: changesOf(before, after).length === 0 ? null : GAME_SUBJECTS.scheduleChanged(before.name),
      detail: { scheduleId: id },
      changes: changesOf(before, after),
    };
  });
}

export function deleteSchedule(services: Services, call: Call<Actor>, id: string): Promise<void> {
  return runCommand(services, call, async (tx) => {
    await tx.query(LOCK_TIMES);
    const schedule = await requireSchedule(tx, id);
    if (schedule.games.length > 0)
      throw new CallError('SCHEDULE_IN_USE', {
        message: GAME_TEXTS.scheduleInUse(namesOf(schedule.games), schedule.games.length),
      });
    await tx.query(sql`delete from schedules where id = ${id}`);
    return {
      result: undefined,
      subject: GAME_SUBJECTS.scheduleDeleted(schedule.name),
      detail: { scheduleId: id },
      changes: changesOf(schedule, undefined),
    };
  });
}

async function requireFreeName(tx: Tx, name: string, id: string): Promise<void> {
  const taken = await tx.query(sql`select from schedules where lower(name) = lower(${name}) and id <> ${id}`);
  if (taken.length > 0) throw new CallError('SCHEDULE_TAKEN', { fields: { name: GAME_TEXTS.scheduleTaken(name) } });
}

function requireSourcesOfDraws({ times, sources = {} }: Pick<ClockSchedule, 'times' | 'sources'>): void {
  const noDraw = Object.keys(sources).find((clock) => !times.includes(clock));
  if (noDraw !== undefined)
    throw new CallError('INVALID_INPUT', { fields: { sources: GAME_FIELD_TEXTS.sourceWithoutDraw(noDraw) } });
}

interface GamesOfSchedule {
  readonly id: string;
  readonly games: readonly string[];
  readonly isChanged: boolean;
}

async function setGames(services: Services, tx: Tx, { id, games, isChanged }: GamesOfSchedule): Promise<void> {
  const rows = await tx.query<{ game_id: string; game_key: string; schedule_id: string | null }>(
    sql`select g.id as game_id, g.game_key, g.schedule_id from games g
     where g.deleted_at is null and (g.schedule_id = ${id} or g.id = any(${games}::uuid[])) order by g.id for update`,
  );
  const unknown = games.findIndex((game) => !rows.some((row) => row.game_id === game));
  if (unknown !== -1)
    throw new CallError('INVALID_INPUT', { fields: { [`games.${unknown}`]: GAME_TEXTS.noGame(games[unknown]!) } });
  for (const row of rows) {
    const wanted = games.includes(row.game_id) ? id : null;
    if (row.schedule_id !== wanted)
      await tx.query(sql`update games set schedule_id = ${wanted} where id = ${row.game_id}`);
    if (isChanged || row.schedule_id !== wanted) await gamePanelsChanged(services, tx, row);
  }
}

const FIELDS: Readonly<Record<string, (row: ScheduleRow) => string>> = {
  Name: ({ name }) => name,
  'Clock times': ({ plan }) => plan.times.join(', '),
  Days: ({ plan }) => weekdaysText(plan.weekdays),
  'Days off': ({ plan }) => plan.daysOff.join(', '),
  'Extra days': ({ plan }) => plan.daysOn.join(', '),
  'Betting opens': ({ plan }) => plan.opensAt ?? 'With the previous draw',
  'Outside lotteries': ({ plan }) =>
    Object.entries(plan.sources ?? {})
      .map(([clock, name]) => `${name} ${clock}`)
      .join(', '),
  'Void without a result': ({ plan }) =>
    Object.keys(plan.sources ?? {}).length === 0 ? '' : `After ${plan.voidAfter ?? VOID_AFTER_HOURS.usual} hours`,
  'Betting closes': ({ plan }) => (plan.closesBefore === 0 ? '5 s before' : `${plan.closesBefore} min before`),
  Games: ({ games }) => games.map(({ gameName }) => gameName).join(', '),
};

function changesOf(before: ScheduleRow | undefined, after: ScheduleRow | undefined): Change[] {
  return Object.entries(FIELDS).flatMap(([what, words]) =>
    changeOf(what, (before && words(before)) || null, (after && words(after)) || null),
  );
}
