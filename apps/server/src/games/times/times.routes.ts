import * as contract from '@drawhouse/contract/games/times';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Actor } from '../../accounts/authority.ts';
import type { Services } from '../../platform/services.ts';
import { handle, type BoundRoute, type Call } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import { allRows } from '../../platform/db/visibility-predicate.ts';
import { addTime, changeTime, deleteTime, requireTime, gamesOfTime, toTime, type TimeRow } from './change-times.ts';
import { schedulesRoutes, type DrawReaders } from './schedules.routes.ts';
import { seenGames } from '../catalogue/game-source.ts';
import { GAME_TEXTS } from '../games-texts.ts';

export function timesRoutes(services: Services, draws: DrawReaders): BoundRoute<Actor>[] {
  const { db, clock } = services;
  return [
    ...schedulesRoutes(services, draws),
    ...serveList(services, contract.timeList, ({ actor }: { actor: Actor }) => ({
      from: sql`times t`,
      authority: allRows("Intervals are public; the games using them are limited to the caller's own."),
      key: sql`t.id`,
      select: sql`t.id, t.seconds, ${gamesOfTime(seenGames(actor))} as games`,
      toRow: (row: TimeRow) => toTime(row),
      reading: 'rows',
      order: { timecount: sql`t.seconds` },
    })),
    handle(contract.oneTime, async ({ params }) => {
      const time = toTime(await requireTime(db, params.id));
      const now = clock.now();
      const gameIds = time.games.map((game) => game._id);
      const ends = await draws.drawEnds(db, gameIds, now);
      const games = time.games.map((game) => ({ ...game, runsUntil: ends.get(game._id)?.toISOString() ?? null }));
      return { data: { ...time, games }, serverTime: now.toISOString() };
    }),
    handle(contract.addTime, async ({ body }, call: Call<Actor>) => ({
      message: GAME_TEXTS.timeAdded,
      data: await addTime(services, call, body.timecount),
    })),
    handle(contract.changeTime, async ({ params: { id }, body }, call: Call<Actor>) => ({
      message: GAME_TEXTS.timeChanged,
      data: await changeTime(services, call, { id, seconds: body.timecount }),
    })),
    handle(contract.deleteTime, async ({ params }, call: Call<Actor>) => {
      await deleteTime(services, call, params.id);
      return { message: GAME_TEXTS.timeDeleted };
    }),
  ];
}
