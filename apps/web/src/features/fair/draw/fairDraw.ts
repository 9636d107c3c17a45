import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/core/route';

export type FairDraw = RouteAnswer<typeof fairDraw>;

/** True if nothing more will be published. */
export function isFinal(draw: Pick<FairDraw, 'status' | 'undone'>): boolean {
  return draw.undone !== null || isFinished(draw);
}

/** True if everything to check is published. */
export function isFinished({ status }: Pick<FairDraw, 'status'>): boolean {
  return status === 'settling' || status === 'settled' || status === 'void';
}

const DRAW_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

export function isDrawId(text: string): boolean {
  return DRAW_ID.exec(text)?.[0] === text;
}

/** Accepts an id or a draw's address. Null otherwise. */
export function readDrawId(text: string): string | null {
  return DRAW_ID.exec(text)?.[0].toLowerCase() ?? null;
}

const NUMBER = /^([0-9A-Z]{4})[\s-]*([0-9A-Z]{4})[\s-]*([0-9A-Z]{4})$/;

/** Accepts a printed number (`0ABC-1DEF-2GHJ`) or an id. Null otherwise. */
export function readTicketName(text: string): string | null {
  const name = text.trim();
  const groups = NUMBER.exec(name.toUpperCase());
  if (groups) return groups.slice(1).join('-');
  // Ticket and draw ids share one format.
  return isDrawId(name) ? name.toLowerCase() : null;
}
