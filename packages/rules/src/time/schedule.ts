export interface DrawTimes {
  readonly number: number;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly drawsAt: Date;
}

/** Adjacent draws of the same game and admin, regardless of interval. */
export interface Neighbours {
  readonly lastEnd: Date | null;
  /** Opening of the next draw. Set only if a clock ran ahead. */
  readonly nextStart: Date | null;
  /** Opening of the latest draw, if a fast clock finished it early. Another draw replaces it. */
  readonly replaced?: Date | null;
}

/** Offset of a replacement's opening time, because the opening time identifies a draw. */
export const REPLACES_AFTER_MS = 1;

const CLOSE_BEFORE_MS = 5_000;
const CLOSE_BEFORE_FULL_FROM_MS = 30_000;

/**
 * Draw k runs from k × interval to (k + 1) × interval of Unix time. Betting closes 5 seconds earlier, or a sixth of
 * intervals under 30 seconds.
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
 * Undefined if the draw would overlap an existing one, as after an interval change, or if betting would already be
 * closed.
 */
export function drawToOpen(now: Date, intervalSeconds: number, neighbors: Neighbours): DrawTimes | undefined {
  const draw = drawAt(now, intervalSeconds);
  if (neighbors.replaced) return replacing(draw, now, neighbors.replaced, neighbors.lastEnd);
  const overlaps =
    (neighbors.lastEnd !== null && neighbors.lastEnd > draw.opensAt) ||
    (neighbors.nextStart !== null && neighbors.nextStart < draw.drawsAt);
  return overlaps || now >= draw.closesAt ? undefined : draw;
}

function replacing(draw: DrawTimes, now: Date, replaced: Date, end: Date | null): DrawTimes | undefined {
  const opensAt = new Date(replaced.getTime() + REPLACES_AFTER_MS);
  const isSame = replaced.getTime() === draw.opensAt.getTime() && end?.getTime() === draw.drawsAt.getTime();
  return isSame && now >= opensAt && now < draw.closesAt ? { ...draw, opensAt } : undefined;
}

/**
 * First draw after the running one, else the current one unless too late to bet. Starts at the first interval boundary
 * at or after the last end.
 */
export function nextToOpen(now: Date, intervalSeconds: number, lastEnd: Date | null): DrawTimes {
  const from = lastEnd !== null && lastEnd > now ? lastEnd : now;
  return (
    drawToOpen(from, intervalSeconds, { lastEnd, nextStart: null }) ??
    drawAt(drawAt(from, intervalSeconds).drawsAt, intervalSeconds)
  );
}
