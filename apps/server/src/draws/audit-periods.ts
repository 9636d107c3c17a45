/** What held, as a log tells it, from when to when by the clock of the server that wrote the log. */
export interface Period<T> {
  readonly held: T;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * A draw may be opened while a change is under way, or by another server whose clock differs: so long before or after a change, either
 * may hold.
 */
export const SLACK_MS = 60_000;

/** Changes in the order in which they were made as periods, each until the next. */
export function periodsOf<T>(changes: readonly { readonly fromMs: number; readonly held: T }[]): Period<T>[] {
  return changes.map((change, index) => ({ ...change, untilMs: changes[index + 1]?.fromMs ?? Infinity }));
}

/** When a draw was opened, which its id tells: it is a UUID of version 7. */
export function openedMs(drawId: string): number {
  return Number.parseInt(drawId.slice(0, 8) + drawId.slice(9, 13), 16);
}

/** All that may have held at an instant, the oldest first. */
export function heldAt<T>(periods: readonly Period<T>[], atMs: number): T[] {
  return periods
    .filter(({ fromMs, untilMs }) => fromMs - SLACK_MS <= atMs && atMs <= untilMs + SLACK_MS)
    .map(({ held }) => held);
}
