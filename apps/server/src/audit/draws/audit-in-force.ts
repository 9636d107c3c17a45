import { timeOfId } from '../../platform/db/sql/uuids.ts';

/** Milliseconds. */
export interface TimeBounds {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A logged value with its period, by the logging server's clock. */
export interface InForce<T> extends TimeBounds {
  readonly value: T;
}

export interface Change<T> {
  readonly id: string;
  readonly at: Date;
  readonly value: T;
}

/** Tolerance for concurrent changes and clock differences between servers. */
export const SLACK_MS = 60_000;

export function inForceAtFirst<T>(value: T): TimeBounds & { readonly value: T } {
  return { fromMs: -Infinity, untilMs: -Infinity, value };
}

/** Time span of a change, from clock and row id. They differ only if the clock stepped back, which ids never do. */
export function changedAt<T>({ id, at, value }: Change<T>): TimeBounds & { readonly value: T } {
  return { ...hull([at.getTime(), timeOfId(id).getTime()]), value };
}

export function inForceBy<T>(changes: readonly (TimeBounds & { readonly value: T })[]): InForce<T>[] {
  return changes.map(({ fromMs, value }, index) => ({
    value,
    fromMs,
    untilMs: changes[index + 1]?.untilMs ?? Infinity,
  }));
}

/** Opening time per id. If the clock had stepped back, anywhere from the draw's start to that time. */
export function openedAt(draw: { readonly id: string; readonly opens_at: Date; readonly closes_at: Date }): TimeBounds {
  const [idAt, opensMs, closesMs] = [timeOfId(draw.id).getTime(), draw.opens_at.getTime(), draw.closes_at.getTime()];
  const agrees = opensMs - SLACK_MS <= idAt && idAt <= closesMs + SLACK_MS;
  return hull(agrees ? [idAt] : [idAt, opensMs, closesMs]);
}

/** Oldest first. */
export function inForceDuring<T>(periods: readonly InForce<T>[], bounds: TimeBounds): T[] {
  return periods
    .filter(({ fromMs, untilMs }) => fromMs - SLACK_MS <= bounds.untilMs && bounds.fromMs <= untilMs + SLACK_MS)
    .map(({ value }) => value);
}

function hull(times: readonly number[]): TimeBounds {
  return { fromMs: Math.min(...times), untilMs: Math.max(...times) };
}
