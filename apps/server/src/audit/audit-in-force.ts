import { timeOfId } from '../db/uuid7.ts';

/** Between which instants one thing happened, in milliseconds. */
export interface TimeBounds {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What was in force, as a log tells it, from when to when by the clock of the server that wrote the log. */
export interface InForce<T> extends TimeBounds {
  readonly value: T;
}

/** A change as a log tells it: its row's id, and what the clock said. */
export interface Change<T> {
  readonly id: string;
  readonly at: Date;
  readonly value: T;
}

/**
 * A draw may be opened while a change is under way, or by another server whose clock differs: so long before or after a change, either
 * may be in force.
 */
export const SLACK_MS = 60_000;

/** What was in force before all that a log tells. */
export function inForceAtFirst<T>(value: T): TimeBounds & { readonly value: T } {
  return { fromMs: -Infinity, untilMs: -Infinity, value };
}

/**
 * When a change was made: by the clock and by the id of its row, which are of one moment but where a clock stepped back, as ids never do.
 */
export function changedAt<T>({ id, at, value }: Change<T>): TimeBounds & { readonly value: T } {
  return { ...hull([at.getTime(), timeOfId(id).getTime()]), value };
}

/** What was in force by changes in the order in which they were made, each until the next. */
export function inForceBy<T>(changes: readonly (TimeBounds & { readonly value: T })[]): InForce<T>[] {
  return changes.map(({ fromMs, value }, index) => ({
    value,
    fromMs,
    untilMs: changes[index + 1]?.untilMs ?? Infinity,
  }));
}

/**
 * When a draw was opened: at the time of its id, or where a clock had stepped back, somewhere from its betting to that time.
 */
export function openedAt(draw: { readonly id: string; readonly opens_at: Date; readonly closes_at: Date }): TimeBounds {
  const [idAt, opensMs, closesMs] = [timeOfId(draw.id).getTime(), draw.opens_at.getTime(), draw.closes_at.getTime()];
  const agrees = opensMs - SLACK_MS <= idAt && idAt <= closesMs + SLACK_MS;
  return hull(agrees ? [idAt] : [idAt, opensMs, closesMs]);
}

/** All that may have been in force at some time within bounds, the oldest first. */
export function inForceDuring<T>(periods: readonly InForce<T>[], bounds: TimeBounds): T[] {
  return periods
    .filter(({ fromMs, untilMs }) => fromMs - SLACK_MS <= bounds.untilMs && bounds.fromMs <= untilMs + SLACK_MS)
    .map(({ value }) => value);
}

function hull(times: readonly number[]): TimeBounds {
  return { fromMs: Math.min(...times), untilMs: Math.max(...times) };
}
