import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { appendActivity, changeOf, latestLogTime } from '../activity/append-activity.ts';
import { shellEntry, type Shell } from '../auth/attempts/unlock-account.ts';
import { FILE_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Queryable } from '../platform/db/database.ts';
import { UNFINISHED } from '../config/draw-states.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { timeWords } from '../protection/protection-texts.ts';
import { keepCorrection } from '../platform/settings/pinned-settings.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockDraw, selectDraws } from '../draws/draws.sql.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { SETTLEMENT_SUBJECTS } from './settlement-texts.ts';

/** Another server's clock may have written the row. */
export const CLOCK_AHEAD_MS = 5_000;

interface FutureRows {
  readonly finished: number;
  readonly unfinished: number;
  /** Latest opening of these draws, or latest log row if that is later. */
  readonly until: Date | undefined;
}

export async function readFutureRows(on: Queryable, now: Date): Promise<FutureRows> {
  const [row] = await on.query<{ finished: number; unfinished: number; opened: Date | null }>(
    sql`select count(*) filter (where status not in ${sql.raw(UNFINISHED)})::int as finished,
       count(*) filter (where status in ${sql.raw(UNFINISHED)})::int as unfinished, max(opens_at) as opened
     from draws where opens_at > ${now} and coalesce(bets_from, opens_at) > ${now} ${sql.raw(crossNetworkComment('schedule'))}`,
  );
  const { finished, unfinished, opened } = row!;
  const tolerated = new Date(now.getTime() + CLOCK_AHEAD_MS);
  const logged = await latestLogTime(on);
  const isLogAhead = logged !== undefined && logged.getTime() > (opened ?? tolerated).getTime();
  return { finished, unfinished, until: isLogAhead ? logged : (opened ?? undefined) };
}

/**
 * Lets draws open again. Voids unfinished future draws, returning stakes, and records how far the wrong clock reached,
 * so finished ones get replacements. Returns the number voided.
 */
export async function correctClock(machine: DrawMachine, shell: Shell): Promise<number> {
  const { services } = machine;
  const { db, clock } = services;
  const now = clock.now();
  const { until } = await readFutureRows(db, now);
  if (!until) return 0;
  const ahead = await selectDraws(
    db,
    sql`where d.opens_at > ${now} and coalesce(d.bets_from, d.opens_at) > ${now}
      and d.status in ('open', 'closed', 'drawn') ${sql.raw(crossNetworkComment('schedule'))}
      order by d.network_id, d.draws_at, d.id`,
  );
  const reason = SETTLEMENT_SUBJECTS.clockAhead;
  for (const draw of ahead)
    await db.transaction(async (tx) => {
      const locked = await lockDraw(tx, draw);
      const isSeedPublished = await machine.voidDraw(tx, locked, 'operator');
      await appendActivity(tx, locked.network_id, services, [
        shellEntry(shell, {
          subject: SETTLEMENT_SUBJECTS.voidedByClock(locked.name, locked.number, reason),
          detail: { drawId: locked.id, reason, cause: 'operator', ...(!isSeedPublished && { seedUnreadable: true }) },
          changes: [
            ...changeOf('Draw', locked.draw_status, 'Void, stakes refunded'),
            ...changeOf('Reason', null, reason),
          ],
        }),
      ]);
    }, FILE_TIMEOUTS);
  await db.transaction(async (tx) => {
    const since = clock.now();
    await keepCorrection(tx, { since, until });
    await appendActivity(tx, ROOT_NETWORK, services, [
      shellEntry(shell, {
        subject: SETTLEMENT_SUBJECTS.clockCorrected,
        detail: { since: since.toISOString(), until: until.toISOString(), voided: ahead.length },
        changes: changeOf('Wrong clock time', null, timeWords(until, services.timeZone)),
      }),
    ]);
  });
  return ahead.length;
}
