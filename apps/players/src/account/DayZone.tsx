import { addDays, dayOf, dayStart, haveSameDays } from '@drawhouse/rules/time/zone-days';
import { getSession } from '../lib/session/playerSession.ts';
import { serverNow } from '../lib/server/serverTime.ts';
import { betTexts } from './bets/betTexts.ts';
import styles from './bets/MyBetsPage.module.css';

function dayZone(): string {
  return getSession()?.user?.timeZone ?? ownZone();
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Null if the network's days match this device's. */
export function foreignDayZone(now: number): string | null {
  return haveSameDays(dayZone(), ownZone(), now) ? null : dayZone();
}

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

export function DayZoneNote() {
  const zone = foreignDayZone(serverNow());
  return zone !== null && <p className={styles.zone}>{betTexts.dayZone(zone.replaceAll('_', ' '))}</p>;
}
