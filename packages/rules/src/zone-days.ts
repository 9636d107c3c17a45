const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the clocks of a time zone show at an instant, as if it were UTC, in milliseconds. */
export type WallClock = (at: Date) => number;

/** More zones than a program asks for on purpose. */
const MOST_FORMATS = 50;

/** Keeps formats by their zones, because one takes 50 times as long to make as to use. */
function keepFormats(options: Intl.DateTimeFormatOptions, locale: string): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    let format = formats.get(timeZone);
    if (!format) {
      if (formats.size >= MOST_FORMATS) formats.clear();
      format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
      formats.set(timeZone, format);
    }
    return format;
  };
}

const N = 'numeric';
const clockFormat = /* @__PURE__ */ keepFormats(
  { hourCycle: 'h23', year: N, month: N, day: N, hour: N, minute: N, second: N },
  'en-US',
);
const dayFormat = /* @__PURE__ */ keepFormats({ dateStyle: 'short' }, 'sv-SE');

const wordsFormat = /* @__PURE__ */ keepFormats({ day: '2-digit', month: 'short', year: N }, 'en-GB');

/** The clocks of a time zone. */
export function wallClock(timeZone: string): WallClock {
  const format = clockFormat(timeZone);
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + mod(at.getTime(), 1000);
  };
}

/** The first instant at which clocks show a time; if they skip it, the instant at which they go past it. */
export function instantAt(wall: number, wallOf: WallClock): Date {
  const shownAt = (at: number): number => wallOf(new Date(at));
  // Clocks change at most once within two days, so these are all distances from UTC that may hold.
  const found = [wall - DAY_MS, wall + DAY_MS].map((at) => wall - (shownAt(at) - at));
  let [early, late] = [Math.min(...found), Math.max(...found)];
  for (const at of [early, late]) if (shownAt(at) === wall) return new Date(at);
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (shownAt(middle) < wall) early = middle;
    else late = middle;
  }
  return new Date(late);
}

/** The day of a time zone at an instant, as `2026-01-31`; a text of this form is returned as it is. */
export function dayOf(at: Date | number | string, timeZone: string): string {
  if (typeof at === 'string' && at.length === 10) return at;
  return dayFormat(timeZone).format(new Date(at)).padStart(10, '0');
}

/** The day of a time zone at an instant, as a sentence has it: `31 Jan 2026`. */
export function dayWords(at: Date, timeZone: string): string {
  return wordsFormat(timeZone).format(at);
}

/**
 * The first instant of a day of a time zone. If clocks skip midnight, the day begins after the gap; if midnight comes twice, the day begins
 * with the first. A day that a zone skips whole begins, and ends, where the next one begins. In SQL: `day_start`.
 */
export function dayStart(day: string, timeZone: string): Date {
  return instantAt(Date.parse(`${day}T00:00:00Z`), wallClock(timeZone));
}

/** The day some days after a day, or before it where negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** True if two zones have the same days: their clocks agree now and in half a year. One zone may have several names. */
export function haveSameDays(one: string, other: string, now: number): boolean {
  if (one === other) return true;
  const [first, second] = [wallClock(one), wallClock(other)];
  return [now, now + 183 * DAY_MS].every((at) => first(new Date(at)) === second(new Date(at)));
}

/** The remainder of a division, never negative. */
export function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
