/** The one source of time. It is given to whatever needs it, so that tests move time by hand. */
export interface Clock {
  now(): Date;
}

/** The real time of this machine. */
export const systemClock: Clock = { now: () => new Date() };

/** The day of a time zone at an instant, as `2026-01-31`; a day that is written so already is that day. */
export function dayOf(at: Date | string, timeZone: string): string {
  if (typeof at === 'string' && at.length === 10) return at;
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(new Date(at)).padStart(10, '0');
}
