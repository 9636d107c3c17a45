import {
  clockSlotAfter,
  closedUntil,
  HORIZON_DAYS,
  type ClockSchedule,
  type Closures,
  type DrawTimes,
} from './clock-slots.ts';

/** Draws of the same game and admin, whatever the interval. */
export interface Neighbours {
  readonly lastEnd: Date | null;
  /** Set only if a clock ran ahead. */
  readonly nextStart: Date | null;
  /** Opening of the latest draw, if a fast clock finished it early and another replaces it. */
  readonly replaced?: Date | null;
}

/** Offset of a replacement, because the opening time identifies a draw. */
export const REPLACES_AFTER_MS = 1;

const DAY_MS = 86_400_000;
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

/** Draws at an interval, or by a schedule; never within the closures. */
export interface Cadence {
  readonly seconds: number;
  readonly schedule: ClockSchedule | null;
  readonly closures: Closures | null;
  readonly timeZone: string;
}

interface KnownSlot {
  readonly slot: DrawTimes | undefined;
  /** The slot applies to all instants from here until the end. */
  readonly fromMs: number;
  readonly untilMs: number;
}

const MOST_SLOTS = 2_000;
const HOUR_MS = 3_600_000;
/** Schedules are read every second, and a calendar day costs hundreds of microseconds. */
const slots = new Map<string, KnownSlot>();

/** Undefined beyond the horizon. */
export function slotAfter(at: Date, cadence: Cadence): DrawTimes | undefined {
  const { seconds, schedule, closures, timeZone } = cadence;
  if (!schedule && !closures) return drawAt(at, seconds);
  const [atMs, key] = [at.getTime(), JSON.stringify([seconds, schedule, closures, timeZone])];
  const known = slots.get(key);
  if (known && known.fromMs <= atMs && atMs < known.untilMs) return known.slot;
  const slot = findSlot(at, cadence);
  if (slots.size >= MOST_SLOTS) slots.clear();
  // Without a draw, looks again each hour.
  slots.set(key, { slot, fromMs: atMs, untilMs: slot?.drawsAt.getTime() ?? atMs + HOUR_MS });
  return slot;
}

function findSlot(at: Date, { seconds, schedule, closures, timeZone }: Cadence): DrawTimes | undefined {
  const endMs = at.getTime() + HORIZON_DAYS * DAY_MS;
  let from = at;
  while (from.getTime() < endMs) {
    const slot = schedule ? clockSlotAfter(from, schedule, timeZone) : drawAt(from, seconds);
    const reopens = slot && closures ? closedUntil(slot.drawsAt, closures, timeZone) : undefined;
    if (!reopens) return slot;
    from = new Date(reopens.getTime() - 1);
  }
  return undefined;
}

/**
 * Undefined before its betting opens, if the draw would overlap an existing one, as after an interval change, or if
 * betting would already be closed. A scheduled draw opens late rather than not at all.
 */
export function drawToOpen(now: Date, cadence: Cadence, neighbors: Neighbours): DrawTimes | undefined {
  const slot = slotAfter(now, cadence);
  if (!slot) return undefined;
  if (neighbors.replaced) return replacing(slot, now, neighbors.replaced, neighbors.lastEnd);
  const draw = openedAfter(slot, cadence, neighbors.lastEnd);
  const overlaps =
    (neighbors.lastEnd !== null && neighbors.lastEnd > draw.opensAt) ||
    (neighbors.nextStart !== null && neighbors.nextStart < draw.drawsAt);
  return overlaps || now < draw.opensAt || now >= draw.closesAt ? undefined : draw;
}

function openedAfter(draw: DrawTimes, { schedule }: Cadence, lastEnd: Date | null): DrawTimes {
  return schedule && lastEnd && lastEnd > draw.opensAt ? { ...draw, opensAt: lastEnd } : draw;
}

function replacing(draw: DrawTimes, now: Date, replaced: Date, end: Date | null): DrawTimes | undefined {
  const opensAt = new Date(replaced.getTime() + REPLACES_AFTER_MS);
  const isSame = replaced.getTime() === draw.opensAt.getTime() && end?.getTime() === draw.drawsAt.getTime();
  return isSame && now >= opensAt && now < draw.closesAt ? { ...draw, opensAt } : undefined;
}

/**
 * Returns the first draw after the running one, else the current one unless too late to bet. With an interval, starts
 * at the first boundary at or after the last end. Undefined beyond the horizon.
 */
export function nextToOpen(now: Date, cadence: Cadence, lastEnd: Date | null): DrawTimes | undefined {
  const from = lastEnd !== null && lastEnd > now ? lastEnd : now;
  for (let slot = slotAfter(from, cadence); slot; slot = slotAfter(slot.drawsAt, cadence)) {
    const draw = openedAfter(slot, cadence, lastEnd);
    if ((lastEnd === null || lastEnd <= draw.opensAt) && from < draw.closesAt) return draw;
  }
  return undefined;
}

export function comingDraws(now: Date, cadence: Cadence, lastEnd: Date | null, count: number): DrawTimes[] {
  const draws: DrawTimes[] = [];
  let end = lastEnd;
  while (draws.length < count) {
    const draw = nextToOpen(now, cadence, end);
    if (!draw) break;
    draws.push(draw);
    end = draw.drawsAt;
  }
  return draws;
}
