import { expand, MAX_TEXT } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';

interface Favourite {
  readonly name: string;
  readonly text: string;
}

export const FAVOURITES = { most: 20, nameLength: 40 } as const;

/** Skips entries the game no longer supports. */
export function readFavourites(stored: string | null, rules: GameRules): Favourite[] {
  const list = parsed(stored);
  if (!Array.isArray(list)) return [];
  return list
    .filter((each): each is Favourite => isFavourite(each))
    .filter(({ text }) => expand(text, rules, TICKET_LIMITS).lines.length > 0)
    .slice(0, FAVOURITES.most);
}

export function withFavourite(list: readonly Favourite[], { name, text }: Favourite): Favourite[] {
  const short = name.trim().slice(0, FAVOURITES.nameLength);
  if (short === '') return [...list];
  return [{ name: short, text }, ...list.filter((each) => each.name !== short)].slice(0, FAVOURITES.most);
}

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
