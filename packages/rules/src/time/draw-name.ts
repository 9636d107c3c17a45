/** Higher numbers are a date and a clock time, as 202601311300; lower ones count intervals since 1970. */
const FIRST_CLOCK_NUMBER = 100_000_000_000;

export function isClockNumber(number: number | bigint): boolean {
  return number >= FIRST_CLOCK_NUMBER;
}

/** Returns `31 Jan 2026, 13:00` for scheduled draws, else the number. */
export function drawName(number: number | bigint, locale = 'en-GB'): string {
  const [, year, month, day, clock] = /^(\d{4})(\d\d)(\d\d)(\d{4})$/.exec(String(number)) ?? [];
  if (!isClockNumber(number) || clock === undefined) return String(number);
  const words = new Intl.DateTimeFormat(locale, { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const date = words.format(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return `${date}, ${clock.slice(0, 2)}:${clock.slice(2)}`;
}
