/** When a draw opens, closes and is drawn. */
export interface DrawTimes {
  readonly number: number;
  readonly opensAt: Date;
  readonly closesAt: Date;
  readonly drawsAt: Date;
}

const CLOSE_BEFORE_MS = 5_000;
const CLOSE_BEFORE_FULL_FROM_MS = 30_000;

/**
 * The draw that runs at an instant: draw k of an interval runs from k × interval to (k + 1) × interval of Unix time. Betting
 * closes 5 seconds before the draw, or the same share (a sixth) of an interval under 30 seconds.
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
