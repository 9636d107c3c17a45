import { appendActivity, SYSTEM, changeOf } from '../../activity/append-activity.ts';
import type { Tx } from '../../platform/db/database.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { rulesOf } from '../../games/games.sql.ts';
import type { DrawRow } from '../draws.sql.ts';
import type { Change } from '@drawhouse/contract/activity/activity';
import type { Result } from '@drawhouse/rules/games/rules';
import { DRAW_SUBJECTS, VOID_REASONS } from '../draws-texts.ts';

/** Logs at draw time that a generated result replaced a saved one: unconfirmed, or the game is generated-only. */
export async function logUnconfirmed(services: Services, tx: Tx, draw: DrawRow): Promise<void> {
  if (draw.saved_result === null || draw.source !== 'generated') return;
  const saved = DRAW_SUBJECTS.savedResult(rulesOf(draw).resultLabel(draw.saved_result), draw.saved_booster);
  const why =
    draw.result_mode === 'generated' ? DRAW_SUBJECTS.alwaysGenerated(saved) : DRAW_SUBJECTS.unconfirmed(saved);
  await appendActivity(tx, draw.network_id, services, [
    {
      accountId: null,
      username: SYSTEM,
      subject: DRAW_SUBJECTS.generated(draw.result_label, draw.booster, draw.name, draw.number, why),
      origin: NOWHERE,
      detail: {
        drawId: draw.id,
        result: draw.result,
        booster: draw.booster,
        replaced: draw.saved_result,
        savedBy: draw.saved_by,
        resultMode: draw.result_mode,
      },
      changes: [
        ...changeOf('Saved result', savedWords(draw), null),
        ...changeOf('Result', null, resultWords(draw, draw.result!, draw.booster!)),
      ],
    },
  ]);
}

export type VoidReason = keyof typeof VOID_REASONS;

export async function logVoided(
  services: Services,
  tx: Tx,
  draw: DrawRow,
  why: VoidReason,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const reason = VOID_REASONS[why];
  await appendActivity(tx, draw.network_id, services, [
    {
      accountId: null,
      username: SYSTEM,
      subject: DRAW_SUBJECTS.voided(draw.name, draw.number, reason),
      origin: NOWHERE,
      // The audit compares this cause with the draw.
      detail: { drawId: draw.id, reason, cause: why, ...detail },
      changes: [...changeOf('Draw', 'Closed', 'Void, stakes refunded'), ...changeOf('Reason', null, reason)],
    },
  ]);
}

export function resultWords(draw: DrawRow, result: Result, booster: number): string {
  return `${rulesOf(draw).resultLabel(result)}, booster ${booster}`;
}

export function savedWords(draw: DrawRow): string | null {
  return draw.saved_result && resultWords(draw, draw.saved_result, draw.saved_booster!);
}

export function statusWords({ draw_status: status }: DrawRow): string {
  return `${status[0]!.toUpperCase()}${status.slice(1)}`;
}

/** Closed betting as a side effect. Empty if already closed. */
export function bettingChange({ draw_status: status }: Pick<DrawRow, 'draw_status'>): Change[] {
  return status === 'open' ? changeOf('Betting', 'Open', 'Closed') : [];
}
