import type { DueDraw } from './due-draws.sql.ts';
import { nextWay } from './schedule-state.ts';
import type { StepTries } from './schedule-state.ts';

export interface SortedDraws {
  readonly open: DueDraw[];
  readonly closed: DueDraw[];
  readonly alone: DueDraw[];
}

/** Sorts and counts attempts. Leaves exhausted draws to the next step. */
export function sortDue(due: readonly DueDraw[], tries: StepTries): SortedDraws {
  const sorted: SortedDraws = { open: [], closed: [], alone: [] };
  for (const draw of due) {
    const way = nextWay(tries, draw);
    if (way === 'none') continue;
    const { draw_status: status, ticket_count: count } = draw;
    const mayHaveNone = status === 'open' || (status === 'closed' && count === 0 && !draw.saved);
    sorted[mayHaveNone && way === 'together' ? status : 'alone'].push(draw);
  }
  return sorted;
}
