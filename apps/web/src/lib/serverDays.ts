import { haveSameDays } from '@drawhouse/rules/zone-days';
import { ownTimeZone } from './format.ts';

let zone = ownTimeZone();
let foreign = false;

/** The time zone whose days reports and filters count by: the server's, as the signed-in account has it. */
export function dayZone(): string {
  return zone;
}

/** The same where its days are not those of this device; else null, and nothing needs to be said. */
export function foreignDayZone(): string | null {
  return foreign ? zone : null;
}

/** Takes over the server's time zone. Without one days are those of this device. */
export function setDayZone(name: string | undefined): void {
  zone = name ?? ownTimeZone();
  foreign = name !== undefined && !haveSameDays(name, ownTimeZone(), Date.now());
}
