import type { Clock } from '../../platform/time/clock.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { CLOCK_AHEAD_MS } from '../../settlement/correct-clock.ts';
import { fault, ok, timeText, warning, localText, type Finding } from './findings.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** NTP keeps clocks closer than this. */
const APART_MS = 2_000;
const FAR_APART_MS = 60_000;

export interface Times {
  /** Local clock minus PostgreSQL's, in milliseconds, net of the round trip. */
  readonly aheadMs: number;
  readonly now: Date;
  readonly newest: Date | undefined;
  /** Correction time after a wrong clock. */
  readonly corrected?: Date | undefined;
}

export async function readAheadMs(db: Queryable, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const after = clock.now().getTime();
  const databaseMs = row!.now.getTime();
  return databaseMs < before ? before - databaseMs : databaseMs > after ? after - databaseMs : 0;
}

export function judgeTimes({ aheadMs, now, newest, corrected }: Times): Finding[] {
  const apart = Math.abs(aheadMs);
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  const keep = 'Synchronize the clocks of both machines with NTP (systemd-timesyncd or chrony).';
  const seconds = `${(apart / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
  const found: Finding[] = [];
  if (apart > FAR_APART_MS)
    found.push(fault('clock', `This machine’s clock is ${seconds} ${which} PostgreSQL’s.`, keep));
  else if (apart > APART_MS)
    found.push(warning('clock', `This machine’s clock is ${seconds} ${which} PostgreSQL’s.`, keep));
  if (newest && corrected && newest.getTime() > now.getTime() + CLOCK_AHEAD_MS)
    found.push(
      warning(
        'clock',
        `Rows up to ${localText(newest)} carry the time of a clock that was corrected on ${localText(corrected)}.`,
        'Nothing to do. Until that time passes, new log rows are not dated earlier.',
      ),
    );
  else if (newest && newest.getTime() > now.getTime() + CLOCK_AHEAD_MS)
    found.push(
      fault(
        'clock',
        `It is ${localText(now)} here, but the newest row was written on ${localText(newest)}, ` +
          `${timeText(newest.getTime() - now.getTime())} later. The clock is wrong now or was wrong then.`,
        'Correct the clock. If it is right now, draws and bets wait until that time, or until you run npm run admin -- correct-clock',
      ),
    );
  if (found.length > 0) return found;
  return [
    ok(
      'clock',
      `It agrees with PostgreSQL’s${newest ? `, and is not behind the newest row (${localText(newest)})` : ''}.`,
    ),
  ];
}
