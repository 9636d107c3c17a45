import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import type { Expansion } from '@drawhouse/rules/bet-text/expand';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { BoardChoice } from '../boards/boardCells.ts';
import type { Expand } from '../slip/lazyExpand.ts';

/** Board choice, applied to plain numbers. */
export interface KeypadChoice {
  readonly head: string;
  /** Empty for games without series. */
  readonly series: string;
  readonly subseries: string;
}

/** Prefix for plain numbers: `K60GOLD andhar`, `fp`, `sub 1200`. */
function prefixOf({ family, heads }: GameRules, { head, series, subseries }: KeypadChoice): string {
  if (family === 'jodi') return `${series} ${head}`;
  if (family === 'lottery4d') return subseries === '' ? '' : `sub ${subseries}`;
  return heads.length > 1 && family !== 'andarbahar' ? head : '';
}

/** Reads with the board's chosen kind first, then the text alone. */
export function keypadText(
  typed: string,
  units: number,
  choice: KeypadChoice,
  rules: GameRules,
  expand: Expand,
): { text: string } & Expansion {
  const read = (text: string): { text: string } & Expansion => ({ text, ...expand(text, rules, TICKET_LIMITS) });
  const prefix = prefixOf(rules, choice);
  // Check ambiguity without keypad units, which would not resolve it.
  const twoWays = [typed, `${prefix} ${typed}`].map(read).find(({ problems }) => problems[0]?.isTwoWays);
  if (twoWays) return twoWays;
  const alone = read(`(${typed})*${units}`);
  if (prefix === '' || typed.trim() === '') return alone;
  const chosen = read(`${prefix} (${typed})*${units}`);
  if (chosen.problems.length === 0) return chosen;
  if (alone.problems.length === 0) return alone;
  if (!/\p{L}/u.test(typed)) return chosen;
  return rules.family === 'jodi' ? read(`${choice.series} (${typed})*${units}`) : alone;
}

export function scopeOf({ family, heads }: GameRules, { head, tab, page }: BoardChoice): KeypadChoice {
  return {
    head: head || heads[0]!.name,
    series: family === 'jodi' || family === 'lottery4d' ? tab : '',
    subseries: family === 'lottery4d' ? page : '',
  };
}
