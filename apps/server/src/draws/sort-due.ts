import type { DueDraw } from './due-draws.sql.ts';

/** Draws without tickets that somebody else has locked are tried together so often, then each by itself. */
const TRIES = 3;

/** How often draws were tried in one step, by their keys and states. */
export type Tries = Map<string, number>;

/** Draws that are due, by how they are moved on: together where they may have no tickets, those that are open and those that are closed. */
export interface SortedDraws {
  readonly open: DueDraw[];
  readonly closed: DueDraw[];
  readonly alone: DueDraw[];
}

/** Sorts what is due, and counts that it was tried. A draw that was tried in all ways is left out, to the next step. */
export function sortDue(due: readonly DueDraw[], tries: Tries): SortedDraws {
  const sorted: SortedDraws = { open: [], closed: [], alone: [] };
  for (const draw of due) {
    const { draw_status: status, ticket_count: count } = draw;
    const tried = tries.get(keyOf(draw)) ?? 0;
    if (tried > TRIES) continue;
    tries.set(keyOf(draw), tried + 1);
    const isTogether = status === 'open' || (status === 'closed' && count === 0 && !draw.saved);
    sorted[isTogether && tried < TRIES ? status : 'alone'].push(draw);
  }
  return sorted;
}

/** Leaves a draw that failed to the next step. */
export function passOver(draw: DueDraw, tries: Tries): void {
  tries.set(keyOf(draw), TRIES + 1);
}

const keyOf = ({ id, draw_status: status }: DueDraw): string => id + status;
