import * as contract from '@drawhouse/contract/games/schedules';
import type { Actor } from '../../accounts/authority.ts';
import { handle, type BoundRoute, type Call } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { WHOLE_CATALOGUE } from '../catalogue/game-source.ts';
import { GAME_TEXTS } from '../games-texts.ts';
import { changeClosures, readClosures, type TicketsAgainst } from '../pairs/closures.ts';
import {
  addSchedule,
  changeSchedule,
  deleteSchedule,
  requireSchedule,
  SCHEDULE,
  toSchedule,
  type ScheduleRow,
} from './change-schedules.ts';

export interface DrawReaders {
  /** By game row id. */
  readonly drawEnds: (on: Queryable, gameIds: readonly string[], now: Date) => Promise<ReadonlyMap<string, Date>>;
  readonly drawsAhead: (on: Queryable, now: Date) => Promise<contract.AheadDraw[]>;
  readonly ticketsAgainst: TicketsAgainst;
}

export function schedulesRoutes(
  services: Services,
  { drawsAhead, ticketsAgainst }: Omit<DrawReaders, 'drawEnds'>,
): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    ...serveList(services, contract.scheduleList, () => ({
      from: sql`schedules s`,
      authority: WHOLE_CATALOGUE,
      key: sql`s.id`,
      select: SCHEDULE,
      toRow: (row: ScheduleRow) => toSchedule(row),
      reading: 'rows',
      order: { name: naturalOrder(sql`s.name`) },
    })),
    handle(contract.oneSchedule, async ({ params }) => ({
      data: toSchedule(await requireSchedule(db, params.id)),
      ahead: await drawsAhead(db, clock.now()),
    })),
    handle(contract.addSchedule, async ({ body }, call: Call<Actor>) => ({
      message: GAME_TEXTS.scheduleAdded,
      data: await addSchedule(services, call, body),
    })),
    handle(contract.changeSchedule, async ({ params: { id }, body }, call: Call<Actor>) => ({
      message: GAME_TEXTS.scheduleChanged,
      data: await changeSchedule(services, call, { id, ...body }),
    })),
    handle(contract.deleteSchedule, async ({ params }, call: Call<Actor>) => {
      await deleteSchedule(services, call, params.id);
      return { message: GAME_TEXTS.scheduleDeleted };
    }),
    handle(contract.listClosures, async ({ params }, { actor }) => ({
      data: await readClosures(db, actor, params.adminId),
    })),
    handle(contract.setClosures, async ({ params, body }, call: Call<Actor>) => ({
      message: GAME_TEXTS.closuresSet,
      data: await changeClosures(services, ticketsAgainst, call, params.adminId, body.updates),
    })),
  ];
}
