const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Local clock time read as UTC milliseconds. */
export type WallClock = (at: Date) => number;

const MOST_FORMATS = 50;

/** Caches formats: creating one costs as much as 50 uses. */
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

export function wallClock(timeZone: string): WallClock {
  const format = clockFormat(timeZone);
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + mod(at.getTime(), 1000);
  };
}

/** If clocks skip the time, returns the instant they pass it. */
export function instantAt(wall: number, wallOf: WallClock): Date {
  const shownAt = (at: number): number => wallOf(new Date(at));
  // Clocks change at most once in two days, so these are all candidate offsets.
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

/** Returns a day as `2026-01-31`. Text of that form stays unchanged. */
export function dayOf(at: Date | number | string, timeZone: string): string {
  if (typeof at === 'string' && at.length === 10) return at;
  return dayFormat(timeZone).format(new Date(at)).padStart(10, '0');
}

export function dayWords(at: Date, timeZone: string): string {
  return wordsFormat(timeZone).format(at);
}

/**
 * If midnight is skipped, returns the end of the gap; if repeated, the first one. A skipped day starts and ends with
 * the next day's start. In SQL: `day_start`.
 */
export function dayStart(day: string, timeZone: string): Date {
  return instantAt(Date.parse(`${day}T00:00:00Z`), wallClock(timeZone));
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Compares now and half a year from now, because a zone may have several names. */
export function haveSameDays(one: string, other: string, now: number): boolean {
  if (one === other) return true;
  const [first, second] = [wallClock(one), wallClock(other)];
  return [now, now + 183 * DAY_MS].every((at) => first(new Date(at)) === second(new Date(at)));
}

/** Never negative. */
export function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
