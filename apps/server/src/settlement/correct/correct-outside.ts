import { CORRECTABLE_HOURS } from '@drawhouse/contract/draws/draw-texts';
import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import { pointsText } from '@drawhouse/contract/core/primitives';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import type { Actor } from '../../accounts/authority.ts';
import { changeOf, lockRootLog } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import { shareBooksLock } from '../../activity/network-work/closed-books.ts';
import { findDraw, lockDraw, type DrawnRow } from '../../draws/draws.sql.ts';
import { storeCorrected } from '../../draws/states/update-draw.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { requirePair, type PairChoice } from '../../games/pairs/pairs.ts';
import { FILE_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import type { DrawMachine } from '../draw-machine.ts';
import { parseResult, type Declaration } from '../save-result.ts';
import { SETTLEMENT_SUBJECTS, SETTLEMENT_TEXTS } from '../settlement-texts.ts';
import type { CorrectedSums } from './correct-tickets.ts';

const HOUR_MS = 3_600_000;

interface Wanted extends PairChoice, Pick<Declaration, 'result' | 'color' | 'type'> {
  readonly drawId: string;
  /** The result so far, as text. */
  readonly corrects?: string;
  readonly reason: string;
}

/**
 * A second person always approves, so this runs twice: rolled back at the request, committed at the approval. Pays the
 * tickets concerned; those of a large draw in pieces, which `continueCorrections` completes. All differences count at
 * the time of the correction.
 */
export async function correctOutside(
  machine: DrawMachine,
  call: Call<Actor>,
  wanted: Wanted,
): Promise<{ message: string; drawId: string }> {
  const { services } = machine;
  return runCommand(
    services,
    call,
    async (tx) => {
      const { draw, result } = await lockCorrectable(services, tx, call.actor, wanted);
      if (canonicalJson(result) === canonicalJson(draw.result))
        throw new CallError('INVALID_INPUT', { fields: { result: SETTLEMENT_TEXTS.sameResult } });
      const label = rulesOf(draw).resultLabel(result);
      const { reason } = wanted;
      const nth = await insertCorrection(tx, draw, {
        at: services.clock.now(),
        // The request, which is rolled back, has no approval yet.
        approval: call.guard?.approval ?? NOBODY,
        result,
        label,
        reason,
      });
      // Claims are logged to the network, before the approval of a superadmin.
      if (draw.manual_claims) await lockRootLog(tx);
      const sums = await machine.correct(tx, await storeCorrected(services, tx, draw, { result, label }), nth);
      const { outside, name, number } = draw;
      return {
        result: { drawId: draw.id, message: SETTLEMENT_TEXTS.corrected(outside!) },
        subject: SETTLEMENT_SUBJECTS.corrected(outside!, draw.result_label, label, name, number),
        detail: { drawId: draw.id, correction: { nth, before: draw.result, after: result, why: reason } },
        changes: [
          ...changeOf('Result', draw.result_label, label),
          ...changesOf(sums),
          ...changeOf('Reason', null, reason),
        ],
        guarded: [
          {
            kind: 'correction',
            networkId: draw.network_id,
            amount: sums.paid + sums.takenBack,
            pins: { corrects: draw.result_label },
          },
        ],
      };
    },
    FILE_TIMEOUTS,
  );
}

/** In a large draw, of its first tickets. */
function changesOf({ tickets, paid, takenBack, short, isWhole }: CorrectedSums): ReturnType<typeof changeOf> {
  const of = (amount: bigint): string => `${isWhole ? '' : 'More than '}${pointsText(amount)}`;
  return [
    ...changeOf('Tickets concerned', null, `${isWhole ? '' : 'More than '}${tickets}`),
    ...changeOf('Paid to players', null, of(paid)),
    ...changeOf('Taken back from players', null, of(takenBack)),
    ...changeOf('Not taken back: loss of the house', null, of(short)),
  ];
}

async function lockCorrectable(
  services: Services,
  tx: Tx,
  actor: Actor,
  wanted: Wanted,
): Promise<{ draw: DrawnRow; result: ReturnType<typeof parseResult> }> {
  const pair = await requirePair(tx, actor, wanted);
  const found = await findDraw(tx, wanted.drawId);
  if (found?.network_id !== pair.network_id || found.game_id !== pair.game_id) throw new CallError('NOT_FOUND');
  if (!(await shareBooksLock(tx, pair.network_id))) throw new CallError('NETWORK_RESTORING');
  const draw = await lockDraw(tx, found);
  const result = parseResult(draw, wanted);
  if (draw.outside === null) throw new CallError('RULE_REFUSED', { message: SETTLEMENT_TEXTS.noOutside });
  const refuse = (message: string): never => {
    throw new CallError('DRAW_STATE', { message });
  };
  if (draw.draw_status !== 'settled') return refuse(SETTLEMENT_TEXTS.notSettled);
  const [state] = await tx.query<{ finished_at: Date; is_running: boolean }>(
    sql`select d.finished_at, exists (select from corrections c where c.network_id = ${draw.network_id} and c.draw_id = d.id
        and c.done_at is null) as is_running
      from draws d where d.network_id = ${draw.network_id} and d.id = ${draw.id}`,
  );
  const { finished_at: finishedAt, is_running: isRunning } = state!;
  if (finishedAt.getTime() + CORRECTABLE_HOURS * HOUR_MS <= services.clock.now().getTime())
    return refuse(SETTLEMENT_TEXTS.tooLate(CORRECTABLE_HOURS));
  if (isRunning) return refuse(SETTLEMENT_TEXTS.underWay);
  if (draw.tickets_cleared) return refuse(SETTLEMENT_TEXTS.ticketsCleared);
  const label = draw.result_label!;
  if (wanted.corrects !== undefined && wanted.corrects !== label) return refuse(SETTLEMENT_TEXTS.correctedSince(label));
  return { draw: draw as DrawnRow, result };
}

interface NewCorrection {
  readonly at: Date;
  readonly approval: string;
  readonly result: DrawnRow['result'];
  readonly label: string;
  readonly reason: string;
}

async function insertCorrection(
  tx: Tx,
  draw: DrawnRow,
  { at, approval, result, label, reason }: NewCorrection,
): Promise<number> {
  const { network_id: network, id, result: before, result_label: beforeLabel } = draw;
  const [row] = await tx.query<{ nth: number }>(
    sql`insert into corrections (network_id, draw_id, nth, at, approval, before_result, after_result, before_label,
        after_label, reason)
      select ${network}, ${id}, coalesce(max(nth), 0) + 1,
        greatest(${at}, max(at) + interval '1 millisecond', (select d.finished_at from draws d
          where d.network_id = ${network} and d.id = ${id})), ${approval},
        ${JSON.stringify(before)}::json, ${JSON.stringify(result)}::json, ${beforeLabel}, ${label}, ${reason}
      from corrections where network_id = ${network} and draw_id = ${id} returning nth`,
  );
  return row!.nth;
}
