import { haveSameDays } from '@drawhouse/rules/zone-days';
import { ownTimeZone } from './format.ts';
import { dayZone } from './serverDays.ts';

/** The zone whose days the pages count by, if they are not those of this device; else null, and nothing needs to be said. */
export function foreignDays(): string | null {
  const zone = dayZone();
  return haveSameDays(zone, ownTimeZone(), Date.now()) ? null : zone;
}
