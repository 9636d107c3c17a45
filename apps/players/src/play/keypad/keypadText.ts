import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import type { Expansion } from '@drawhouse/rules/expand';
import type { GameRules } from '@drawhouse/rules/rules';
import type { BoardChoice } from '../boards/boardCells.ts';
import type { Expand } from '../slip/lateExpand.ts';

/** What is chosen on the board, which a number that is typed alone is a bet of. */
export interface KeypadChoice {
  readonly head: string;
  /** The tier or series; empty where the game has none. */
  readonly series: string;
  /** The sub-series whose page is open (4D); empty elsewhere. */
  readonly subseries: string;
}

/** What stands before a number that is typed alone: `K60GOLD andhar`, `fp`, `sub 1200`. */
function prefixOf({ family, heads }: GameRules, { head, series, subseries }: KeypadChoice): string {
  if (family === 'jodi') return `${series} ${head}`;
  if (family === 'lottery4d') return subseries === '' ? '' : `sub ${subseries}`;
  return heads.length > 1 && family !== 'andarbahar' ? head : '';
}

/**
 * The text of what was typed on a keypad, so many units on each of its bets: a bet of the kind that is chosen on the board where it can be one, else
 * what it is by itself. What is wrong with it comes with it.
 */
export function keypadText(
  typed: string,
  units: number,
  choice: KeypadChoice,
  rules: GameRules,
  expand: Expand,
): { text: string } & Expansion {
  const read = (text: string): { text: string } & Expansion => ({ text, ...expand(text, rules, TICKET_LIMITS) });
  const prefix = prefixOf(rules, choice);
  // The units of the keypad are not typed: they make nothing clear that has two readings by itself.
  const twoWays = [typed, `${prefix} ${typed}`].map(read).find(({ problems }) => problems[0]?.isTwoWays);
  if (twoWays) return twoWays;
  const alone = read(`(${typed})*${units}`);
  if (prefix === '' || typed.trim() === '') return alone;
  const chosen = read(`${prefix} (${typed})*${units}`);
  if (chosen.problems.length === 0) return chosen;
  // Of a number alone, what is wrong with it as the bet that is chosen says more.
  return alone.problems.length === 0 || /\p{L}/u.test(typed) ? alone : chosen;
}

/** What is chosen on a board, as its numbers are typed. */
export function scopeOf({ family, heads }: GameRules, { head, tab, page }: BoardChoice): KeypadChoice {
  return {
    head: head || heads[0]!.name,
    series: family === 'jodi' || family === 'lottery4d' ? tab : '',
    subseries: family === 'lottery4d' ? page : '',
  };
}
