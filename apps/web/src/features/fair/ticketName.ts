import { isDrawId } from './drawId.ts';

const NUMBER = /^([0-9A-Z]{4})[\s-]*([0-9A-Z]{4})[\s-]*([0-9A-Z]{4})$/;

/** Accepts a printed number (`0ABC-1DEF-2GHJ`) or an id. Null otherwise. */
export function readTicketName(text: string): string | null {
  const name = text.trim();
  const groups = NUMBER.exec(name.toUpperCase());
  if (groups) return groups.slice(1).join('-');
  // Ticket and draw ids share one format.
  return isDrawId(name) ? name.toLowerCase() : null;
}
