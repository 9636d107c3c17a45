import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import type { LaidBet } from '@drawhouse/rules/expand';
import type { TextProblem } from '@drawhouse/rules/expand-reading';
import { textOf } from '@drawhouse/rules/expand-text';
import type { GameRules } from '@drawhouse/rules/rules';
import type { Expand } from './lateExpand.ts';

/** A ticket being made: its lines in the order of the game, each bet once, and what it was before each step, the last one last. */
export interface Slip {
  readonly lines: readonly LaidBet[];
  readonly past: readonly (readonly LaidBet[])[];
}

/** A changed ticket, or what is wrong with the change, which then did nothing. */
export type SlipStep = { readonly slip: Slip } | { readonly problems: readonly TextProblem[] };

/** A ticket with nothing on it. */
export const EMPTY_SLIP: Slip = { lines: [], past: [] };

/** So many steps can be undone. */
const MOST_PAST = 100;

function step(before: Slip, lines: readonly LaidBet[]): Slip {
  return { lines, past: [...before.past, before.lines].slice(-MOST_PAST) };
}

/** Lays what a text says on top of what is laid, whoever wrote it: a keypad, a pasted list, or chips (`red*5`). */
export function laid(slip: Slip, text: string, rules: GameRules, expand: Expand): SlipStep {
  const added = expand(text, rules, TICKET_LIMITS);
  if (added.problems.length > 0) return { problems: added.problems };
  if (added.lines.length === 0) return { slip };
  return loaded(slip, [...slip.lines, ...added.lines], rules, expand);
}

/** Puts these lines in the place of those that are laid: those of an earlier ticket, or of a favourite. Nothing is placed by that. */
export function loaded(
  slip: Slip,
  lines: readonly Pick<LaidBet, 'drawno' | 'head' | 'series' | 'qty'>[],
  rules: GameRules,
  expand: Expand,
): SlipStep {
  const all = expand(textOf(lines, rules), rules, TICKET_LIMITS);
  return all.problems.length > 0 ? { problems: all.problems } : { slip: step(slip, all.lines) };
}

/** Takes away what is laid on these bets. */
export function without(slip: Slip, keys: readonly string[]): Slip {
  const lines = slip.lines.filter(({ key }) => !keys.includes(key));
  return lines.length === slip.lines.length ? slip : step(slip, lines);
}

/** Takes all away. */
export function cleared(slip: Slip): Slip {
  return slip.lines.length === 0 ? slip : step(slip, []);
}

/** Whether each line can have twice its units. */
export function canDouble({ lines }: Slip): boolean {
  return lines.length > 0 && lines.every(({ qty }) => qty * 2 <= TICKET_LIMITS.qty);
}

/** Twice the units on each line; the same ticket where one of them would have too many. */
export function doubled(slip: Slip): Slip {
  if (!canDouble(slip)) return slip;
  return step(
    slip,
    slip.lines.map((line) => ({ ...line, qty: line.qty * 2 })),
  );
}

/** Whether some line has more than one unit. */
export function canHalve({ lines }: Slip): boolean {
  return lines.some(({ qty }) => qty > 1);
}

/** Half of the units on each line, rounded down to whole ones; one stays one. */
export function halved(slip: Slip): Slip {
  if (!canHalve(slip)) return slip;
  return step(
    slip,
    slip.lines.map((line) => ({ ...line, qty: Math.max(1, Math.floor(line.qty / 2)) })),
  );
}

/** The ticket before the last step. */
export function undone({ lines, past }: Slip): Slip {
  const before = past.at(-1);
  return before ? { lines: before, past: past.slice(0, -1) } : { lines, past };
}

/** How many units are laid on a bet. */
export function unitsOn({ lines }: Slip, key: string): number {
  return lines.find((line) => line.key === key)?.qty ?? 0;
}
