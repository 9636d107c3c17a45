import { timeOfId } from '../db/uuid7.ts';

/** A stretch of time, in milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What held, as a log tells it, from when to when by the clock of the server that wrote the log. */
export interface Period<T> extends Span {
  readonly held: T;
}

/** A change as a log tells it: its row's id, and what the clock said. */
export interface Change<T> {
  readonly id: string;
  readonly at: Date;
  readonly held: T;
}

/**
 * A draw may be opened while a change is under way, or by another server whose clock differs: so long before or after a change, either
 * may hold.
 */
export const SLACK_MS = 60_000;

/** What held before all that a log tells. */
export function heldAtFirst<T>(held: T): Span & { readonly held: T } {
  return { fromMs: -Infinity, untilMs: -Infinity, held };
}

/**
 * When a change was made: by the clock and by the id of its row, which are of one moment but where a clock stepped back, as ids never do.
 */
export function changeSpan<T>({ id, at, held }: Change<T>): Span & { readonly held: T } {
  return { ...hull([at.getTime(), timeOfId(id).getTime()]), held };
}

/** Changes in the order in which they were made as periods, each until the next. */
export function periodsOf<T>(changes: readonly (Span & { readonly held: T })[]): Period<T>[] {
  return changes.map(({ fromMs, held }, index) => ({ held, fromMs, untilMs: changes[index + 1]?.untilMs ?? Infinity }));
}

/**
 * When a draw was opened: at the time of its id, or where a clock had stepped back, somewhere from its betting to that time.
 */
export function openedSpan(draw: { readonly id: string; readonly opens_at: Date; readonly closes_at: Date }): Span {
  const [idAt, opensMs, closesMs] = [timeOfId(draw.id).getTime(), draw.opens_at.getTime(), draw.closes_at.getTime()];
  const agrees = opensMs - SLACK_MS <= idAt && idAt <= closesMs + SLACK_MS;
  return hull(agrees ? [idAt] : [idAt, opensMs, closesMs]);
}

/** All that may have held at some time of a span, the oldest first. */
export function heldIn<T>(periods: readonly Period<T>[], span: Span): T[] {
  return periods
    .filter(({ fromMs, untilMs }) => fromMs - SLACK_MS <= span.untilMs && span.fromMs <= untilMs + SLACK_MS)
    .map(({ held }) => held);
}

function hull(times: readonly number[]): Span {
  return { fromMs: Math.min(...times), untilMs: Math.max(...times) };
}
