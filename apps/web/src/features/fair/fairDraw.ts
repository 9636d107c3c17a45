import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';

/** A draw as the server publishes it. */
export type FairDraw = RouteAnswer<typeof fairDraw>;

/** Whether nothing about a draw changes any more. */
export function isFinished({ status }: Pick<FairDraw, 'status'>): boolean {
  return status === 'settled' || status === 'void';
}
