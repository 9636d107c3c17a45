import { addDays, dayOf, dayStart, haveSameDays } from '@drawhouse/rules/zone-days';
import { getSession } from './playerSession.ts';

/** The time zone whose days periods count by: the server's, as the account has it. */
function dayZone(): string {
  return getSession()?.user?.timeZone ?? ownZone();
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The same where its days are not those of this device; else null, and nothing needs to be said. */
export function foreignDayZone(now: number): string | null {
  return haveSameDays(dayZone(), ownZone(), now) ? null : dayZone();
}

/** A period of so many days that ends today: its first day, and the first and the last instant. */
export function daysUpTo(days: number, now: number): { first: string; startDate: string; endDate: string } {
  const zone = dayZone();
  const today = dayOf(now, zone);
  const first = addDays(today, 1 - days);
  return {
    first,
    startDate: dayStart(first, zone).toISOString(),
    endDate: new Date(dayStart(addDays(today, 1), zone).getTime() - 1).toISOString(),
  };
}
