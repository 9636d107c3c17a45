import { expand, MAX_TEXT } from '@drawhouse/rules/expand';
import type { GameRules } from '@drawhouse/rules/rules';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';

/** A ticket that a player has kept under a name, as a text. */
interface Favourite {
  readonly name: string;
  readonly text: string;
}

/** So many are kept of a game, and so long may a name be. */
export const FAVOURITES = { most: 20, nameLength: 40 } as const;

/** What was kept, read from its text; what is no favourite of this game any more is passed over. */
export function readFavourites(kept: string | null, rules: GameRules): Favourite[] {
  const list = parsed(kept);
  if (!Array.isArray(list)) return [];
  return list
    .filter((each): each is Favourite => isFavourite(each))
    .filter(({ text }) => expand(text, rules, TICKET_LIMITS).lines.length > 0)
    .slice(0, FAVOURITES.most);
}

/** The favourites with one more, the newest first; it takes the place of one of the same name. */
export function withFavourite(list: readonly Favourite[], { name, text }: Favourite): Favourite[] {
  const short = name.trim().slice(0, FAVOURITES.nameLength);
  if (short === '') return [...list];
  return [{ name: short, text }, ...list.filter((each) => each.name !== short)].slice(0, FAVOURITES.most);
}

/** The favourites without the one of this name. */
export function withoutFavourite(list: readonly Favourite[], name: string): Favourite[] {
  return list.filter((each) => each.name !== name);
}

function isFavourite(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, text } = value as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string' && text.length <= MAX_TEXT;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
