import type { GameLimits, LimitName } from '@drawhouse/contract/games/limits';
import { formatPoints, parsePoints } from '../../../lib/format/format.ts';
import { cellName, type CellTexts } from './rowForm.ts';
import { gameTexts } from '../gameTexts.ts';

const WRONG_LIMIT = gameTexts.enterPointsAbove0;

/** Null for empty, undefined for invalid. */
export function readLimit(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const points = parsePoints(text);
  return points === null || points <= 0 ? undefined : points;
}

export function limitProblem(text: string): string | null {
  return readLimit(text) === undefined ? WRONG_LIMIT : null;
}

/**
 * Warnings while typing, before the server refuses. No bet fits a limit below the unit price. A ticket limit above the
 * player's is unreachable.
 */
export function limitNotes(row: GameLimits, texts: CellTexts): Partial<Record<LimitName, string>> {
  const limitOf = (name: LimitName): number | null => readLimit(texts[cellName(row.id, name)] ?? '') ?? null;
  const notes: Partial<Record<LimitName, string>> = {};
  const [perTicket, perPlayer] = [limitOf('perTicket'), limitOf('perPlayer')];
  if (perTicket !== null && perPlayer !== null && perTicket > perPlayer)
    notes.perTicket = gameTexts.neverReachedPlayerMay(formatPoints(perPlayer));
  for (const name of ['perNumber', 'perTicket', 'perPlayer'] as const) {
    const limit = limitOf(name);
    if (limit !== null && limit < row.unitPrice) notes[name] = gameTexts.thisIsLessThan(formatPoints(row.unitPrice));
  }
  return notes;
}

/** Gives every game one limit of a row. Null if nothing changes, or if it is invalid. */
export function spreadLimit(before: CellTexts, typed: CellTexts, rowId: string, name: LimitName): CellTexts | null {
  const text = (typed[cellName(rowId, name)] ?? '').trim();
  if (limitProblem(text) !== null || text === (before[cellName(rowId, name)] ?? '').trim()) return null;
  const all = Object.keys(typed).filter((cell) => cell.endsWith(cellName('', name)));
  if (all.every((cell) => typed[cell]!.trim() === text)) return null;
  return { ...typed, ...Object.fromEntries(all.map((cell) => [cell, text])) };
}

export function limitUpdates(
  changed: readonly GameLimits[],
  typed: CellTexts,
): ({ id: string } & Partial<Record<LimitName, number | null>>)[] {
  return changed.map((row) => ({
    id: row.id,
    ...Object.fromEntries(
      (['perNumber', 'perTicket', 'perPlayer'] as const).flatMap((name) => {
        const limit = readLimit(typed[cellName(row.id, name)] ?? '');
        return limit === undefined || limit === row[name] ? [] : [[name, limit]];
      }),
    ),
  }));
}
