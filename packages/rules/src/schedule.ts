/** When a draw opens, closes and is drawn. */
export interface DrawTimes {
  readonly number: number;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly drawsAt: Date;
}

/** The draws of the same game and admin beside an instant, opened under whatever interval; null where there is none. */
export interface Neighbours {
  /** When the last one that opened by then ends. */
  readonly lastEnd: Date | null;
  /** When the first one after it opens. There is one only where a clock was ahead. */
  readonly nextStart: Date | null;
  /** When the last one opened, if a wrong clock finished it before its time by the right one: another draw takes its place. */
  readonly replaced?: Date | null;
}

/** So much later than the draw whose place it takes a draw opens: a draw is known by when it opens. */
export const REPLACES_AFTER_MS = 1;

const CLOSE_BEFORE_MS = 5_000;
const CLOSE_BEFORE_FULL_FROM_MS = 30_000;

/**
 * The draw of an interval at an instant: draw k runs from k × interval to (k + 1) × interval of Unix time. Betting closes 5 seconds
 * before the draw, or the same share (a sixth) of an interval under 30 seconds.
 */
export function drawAt(now: Date, intervalSeconds: number): DrawTimes {
  const intervalMs = intervalSeconds * 1000;
  const number = Math.floor(now.getTime() / intervalMs);
  const drawsAtMs = (number + 1) * intervalMs;
  const closeBeforeMs =
    intervalMs >= CLOSE_BEFORE_FULL_FROM_MS
      ? CLOSE_BEFORE_MS
      : intervalMs * (CLOSE_BEFORE_MS / CLOSE_BEFORE_FULL_FROM_MS);
  return {
    number,
    opensAt: new Date(number * intervalMs),
    closesAt: new Date(Math.floor(drawsAtMs - closeBeforeMs)),
    drawsAt: new Date(drawsAtMs),
  };
}

/**
 * The draw that is to be opened at an instant: the one of the interval in force, unless it would overlap one that is there, as those of
 * an interval before do until they end, or it is too late to bet on it.
 */
export function drawToOpen(now: Date, intervalSeconds: number, beside: Neighbours): DrawTimes | undefined {
  const draw = drawAt(now, intervalSeconds);
  if (beside.replaced) return replacing(draw, now, beside.replaced, beside.lastEnd);
  const overlaps =
    (beside.lastEnd !== null && beside.lastEnd > draw.opensAt) ||
    (beside.nextStart !== null && beside.nextStart < draw.drawsAt);
  return overlaps || now >= draw.closesAt ? undefined : draw;
}

/** The draw that takes the place of one of the same times. */
function replacing(draw: DrawTimes, now: Date, replaced: Date, end: Date | null): DrawTimes | undefined {
  const opensAt = new Date(replaced.getTime() + REPLACES_AFTER_MS);
  const isSame = replaced.getTime() === draw.opensAt.getTime() && end?.getTime() === draw.drawsAt.getTime();
  return isSame && now >= opensAt && now < draw.closesAt ? { ...draw, opensAt } : undefined;
}

/**
 * The next draw that is to be opened: after the running one, or where none runs, of now, unless it is too late to bet on it. It is the one
 * at the first boundary of the interval in force at or after the end of the last one.
 */
export function nextToOpen(now: Date, intervalSeconds: number, lastEnd: Date | null): DrawTimes {
  const from = lastEnd !== null && lastEnd > now ? lastEnd : now;
  return (
    drawToOpen(from, intervalSeconds, { lastEnd, nextStart: null }) ??
    drawAt(drawAt(from, intervalSeconds).drawsAt, intervalSeconds)
  );
}
