/** What a clock on the wall says at an instant, as if it were one of UTC, in milliseconds. */
export type WallClock = (at: Date) => number;

/** The clock on the wall of a time zone. */
export function wallClock(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + mod(at.getTime(), 1000);
  };
}

/** When clocks show a time; where they leave it out, the moment at which they go past it. */
export function instantAt(wall: number, wallOf: WallClock): Date {
  const offsetAt = (at: number): number => wallOf(new Date(at)) - at;
  const near = wall - offsetAt(wall);
  const found = wall - offsetAt(near);
  return new Date(found + Math.max(0, wall - wallOf(new Date(found))));
}

/** What is left of a value when it is divided, never less than 0. */
export function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
