import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';

export type FairDraw = RouteAnswer<typeof fairDraw>;

/** True if nothing more will be published: the draw is finished, or undone by a restore. */
export function isFinal(draw: Pick<FairDraw, 'status' | 'undone'>): boolean {
  return draw.undone !== null || isFinished(draw);
}

/** True if everything to check is published: the draw is void, or its result is being paid or settled. */
export function isFinished({ status }: Pick<FairDraw, 'status'>): boolean {
  return status === 'settling' || status === 'settled' || status === 'void';
}
