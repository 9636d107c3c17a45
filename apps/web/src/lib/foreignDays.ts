import { haveSameDays } from '@drawhouse/rules/zone-days';
import { ownTimeZone } from './format.ts';
import { dayZone } from './serverDays.ts';

/** Returns the server's time zone if its days differ from this device's; otherwise null. */
export function foreignDays(): string | null {
  const zone = dayZone();
  return haveSameDays(zone, ownTimeZone(), Date.now()) ? null : zone;
}
