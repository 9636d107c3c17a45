import type { Change } from '@drawhouse/contract/activity/activity';
import type { Result } from '@drawhouse/rules/rules';
import { changeOf } from '../../activity/changes.ts';
import { rulesOf } from '../../games/games.sql.ts';
import type { DrawRow } from '../draws.sql.ts';

/** Log format: `7, booster 2`. */
export function resultWords(draw: DrawRow, result: Result, booster: number): string {
  return `${rulesOf(draw).resultLabel(result)}, booster ${booster}`;
}

export function savedWords(draw: DrawRow): string | null {
  return draw.saved_result && resultWords(draw, draw.saved_result, draw.saved_booster!);
}

export function statusWords({ draw_status: status }: DrawRow): string {
  return `${status[0]!.toUpperCase()}${status.slice(1)}`;
}

/** Logs closed betting as a side effect; empty if already closed. */
export function bettingChange({ draw_status: status }: Pick<DrawRow, 'draw_status'>): Change[] {
  return status === 'open' ? changeOf('Betting', 'Open', 'Closed') : [];
}
