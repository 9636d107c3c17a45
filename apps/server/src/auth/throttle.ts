import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';

/** After this many failures within the window, a name from an address must wait. */
export const MAX_FAILURES = 5;
/** The window of the throttle. */
export const WINDOW_MS: number = 15 * 60_000;

/**
 * Counts an attempt before it is made, so that many at once cannot slip through. Throws THROTTLED with the seconds to wait
 * when the name has failed too often from this address.
 */
export async function countAttempt({ db, clock }: Services, name: string, ip: string): Promise<void> {
  const now = clock.now();
  const [row] = await db.query<{ failures: number; since: Date }>(
    `insert into sign_in_attempts as a (name, ip, failures, since) values (lower($1), $2, 1, $3)
     on conflict (name, ip) do update set
       failures = case when a.since <= $4 then 1 else a.failures + 1 end,
       since = case when a.since <= $4 then $3 else a.since end
     returning failures, since`,
    [name, ip, now, new Date(now.getTime() - WINDOW_MS)],
  );
  if (row!.failures <= MAX_FAILURES) return;
  const seconds = Math.max(1, Math.ceil((row!.since.getTime() + WINDOW_MS - now.getTime()) / 1000));
  throw new CallError('THROTTLED', {
    message: `Too many attempts. Please wait ${Math.ceil(seconds / 60)} minutes.`,
    retryAfterSeconds: seconds,
  });
}

/** Forgets the failures of a name at an address after a success, and everyone's whose window is over. */
export async function clearAttempts({ db, clock }: Services, name: string, ip: string): Promise<void> {
  await db.query('delete from sign_in_attempts where name = lower($1) and ip = $2', [name, ip]);
  await db.query(
    `delete from sign_in_attempts where (name, ip) in
       (select name, ip from sign_in_attempts where since <= $1 for update skip locked)`,
    [new Date(clock.now().getTime() - WINDOW_MS)],
  );
}
