import { isDrawId } from './drawId.ts';

/** Twelve digits and letters of a ticket's number, however they are grouped. */
const NUMBER = /^([0-9A-Z]{4})[\s-]*([0-9A-Z]{4})[\s-]*([0-9A-Z]{4})$/;

/** The ticket that a text names, by its number as it is printed (`0ABC-1DEF-2GHJ`) or by its id; null where it is neither. */
export function readTicketName(text: string): string | null {
  const name = text.trim();
  const groups = NUMBER.exec(name.toUpperCase());
  if (groups) return groups.slice(1).join('-');
  // Ids of tickets and of draws are alike in their form.
  return isDrawId(name) ? name.toLowerCase() : null;
}
