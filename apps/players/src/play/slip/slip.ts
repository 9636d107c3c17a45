import { TICKET_LIMITS } from '@drawhouse/contract/tickets/ticket-limits';
import type { SlipLine } from '@drawhouse/rules/bet-text/expand';
import type { TextProblem } from '@drawhouse/rules/bet-text/parser-state';

export interface Slip {
  readonly lines: readonly SlipLine[];
  readonly past: readonly (readonly SlipLine[])[];
}

export type SlipStep = { readonly slip: Slip } | { readonly problems: readonly TextProblem[] };

export const EMPTY_SLIP: Slip = { lines: [], past: [] };

const MOST_PAST = 100;

export function step(before: Slip, lines: readonly SlipLine[]): Slip {
  return { lines, past: [...before.past, before.lines].slice(-MOST_PAST) };
}

export function removeBets(slip: Slip, keys: readonly string[]): Slip {
  const lines = slip.lines.filter(({ key }) => !keys.includes(key));
  return lines.length === slip.lines.length ? slip : step(slip, lines);
}

export function clearSlip(slip: Slip): Slip {
  return slip.lines.length === 0 ? slip : step(slip, []);
}

export function canDouble({ lines }: Slip): boolean {
  return lines.length > 0 && lines.every(({ qty }) => qty * 2 <= TICKET_LIMITS.qty);
}

export function doubleUnits(slip: Slip): Slip {
  if (!canDouble(slip)) return slip;
  return step(
    slip,
    slip.lines.map((line) => ({ ...line, qty: line.qty * 2 })),
  );
}

export function canHalve({ lines }: Slip): boolean {
  return lines.some(({ qty }) => qty > 1);
}

/** Rounds down, at least one. */
export function halveUnits(slip: Slip): Slip {
  if (!canHalve(slip)) return slip;
  return step(
    slip,
    slip.lines.map((line) => ({ ...line, qty: Math.max(1, Math.floor(line.qty / 2)) })),
  );
}

export function undo({ lines, past }: Slip): Slip {
  const before = past.at(-1);
  return before ? { lines: before, past: past.slice(0, -1) } : { lines, past };
}

export function unitsOn({ lines }: Slip, key: string): number {
  return lines.find((line) => line.key === key)?.qty ?? 0;
}
