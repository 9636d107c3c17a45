import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';

/** A draw as the server publishes it. */
export type FairDraw = RouteAnswer<typeof fairDraw>;

/** Whether all is published that ever will be of a draw: it is finished, or a restore has undone it. */
export function isFinal(draw: Pick<FairDraw, 'status' | 'undone'>): boolean {
  return draw.undone !== null || isFinished(draw);
}

/** Whether all that there is to check of a draw is published: it is void, or its result stands and players are paid by it. */
export function isFinished({ status }: Pick<FairDraw, 'status'>): boolean {
  return status === 'settling' || status === 'settled' || status === 'void';
}
