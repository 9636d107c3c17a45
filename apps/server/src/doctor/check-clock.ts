import type { Clock } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { fault, ok, timeText, warning } from './findings.ts';
import { sql } from '../db/sql.ts';
import type { Finding } from './findings.ts';

/** Two clocks that are kept by the network are nearer to each other. */
const APART_MS = 2_000;
const FAR_APART_MS = 60_000;
/** The newest row may be so much ahead: another server wrote it by its own clock. */
const AHEAD_MS = 5_000;

/** What is known of time. */
export interface Times {
  /** By how much this machine's clock is ahead of PostgreSQL's, in milliseconds; what it took to ask is left out. */
  readonly aheadMs: number;
  readonly now: Date;
  /** The latest time that anything in the database tells of. */
  readonly newest: Date | undefined;
  /** When that was put right, if it was of a wrong clock. */
  readonly corrected?: Date | undefined;
}

/** Asks PostgreSQL for its time. */
export async function readAheadMs(db: Queryable, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const after = clock.now().getTime();
  const theirs = row!.now.getTime();
  return theirs < before ? before - theirs : theirs > after ? after - theirs : 0;
}

/** Whether this machine's clock agrees with PostgreSQL's, and with what was written before. */
export function judgeTimes({ aheadMs, now, newest, corrected }: Times): Finding[] {
  const apart = Math.abs(aheadMs);
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  const keep = 'Let both machines keep their clocks by the network (NTP: systemd-timesyncd or chrony).';
  const seconds = `${(apart / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
  const found: Finding[] = [];
  if (apart > FAR_APART_MS)
    found.push(fault('clock', `This machine’s clock is ${seconds} ${which} PostgreSQL’s.`, keep));
  else if (apart > APART_MS)
    found.push(warning('clock', `This machine’s clock is ${seconds} ${which} PostgreSQL’s.`, keep));
  if (newest && corrected && newest.getTime() > now.getTime() + AHEAD_MS)
    found.push(
      warning(
        'clock',
        `Rows up to ${newest.toISOString()} have the time of a clock that was put right at ${corrected.toISOString()}.`,
        'Nothing waits for that. Rows of the logs have no earlier time until then.',
      ),
    );
  else if (newest && newest.getTime() > now.getTime() + AHEAD_MS)
    found.push(
      fault(
        'clock',
        `It is ${now.toISOString()} here, and the newest row was written at ${newest.toISOString()}, ${timeText(newest.getTime() - now.getTime())} later: this clock, or the one before, is wrong.`,
        'Put the clock right. If it is right now, draws and bets wait until it is that time once more, or until: npm run admin -- correct-clock',
      ),
    );
  if (found.length > 0) return found;
  return [
    ok(
      'clock',
      `It agrees with PostgreSQL’s${newest ? `, and is not behind the newest row (${newest.toISOString()})` : ''}.`,
    ),
  ];
}
