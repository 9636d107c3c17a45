import type { Change } from '@drawhouse/contract/activity/activity';
import type { Result } from '@drawhouse/rules/rules';
import { changeOf } from '../activity/changes.ts';
import { rulesOf } from '../games/games.sql.ts';
import type { DrawRow } from './draws.sql.ts';

/** A result as the log writes it: `7, booster 2`. */
export function resultWords(draw: DrawRow, result: Result, booster: number): string {
  return `${rulesOf(draw).resultLabel(result)}, booster ${booster}`;
}

/** The saved result of a draw; null where there is none. */
export function savedWords(draw: DrawRow): string | null {
  return draw.saved_result && resultWords(draw, draw.saved_result, draw.saved_booster!);
}

/** The state of a draw. */
export function statusWords({ draw_status: status }: DrawRow): string {
  return `${status[0]!.toUpperCase()}${status.slice(1)}`;
}

/** That betting has closed with what was done to a draw; nothing where it was closed before. */
export function bettingChange({ draw_status: status }: Pick<DrawRow, 'draw_status'>): Change[] {
  return status === 'open' ? changeOf('Betting', 'Open', 'Closed') : [];
}
