import type { Actor } from '../accounts/authority.ts';
import type { generateResult } from '@drawhouse/contract/draws/draws';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand, type Done } from '../activity/run-command.ts';
import { FILE_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Call } from '../platform/http/handler.ts';
import { allStakes } from '../tickets/tickets.sql.ts';
import type { DrawMachine } from './draw-machine.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { lockRunning, type DrawChoice } from '../draws/states/update-draw.ts';
import { requireBeforeBeacons } from '../draws/seed/draw-seeds.ts';
import { bettingChange, resultWords, savedWords, statusWords } from '../draws/states/system-log.ts';
import { requireOwnDraw } from './save-result.ts';
import { SETTLEMENT_TEXTS, SETTLEMENT_SUBJECTS } from './settlement-texts.ts';

/**
 * One transaction, so no reader sees a drawn but unsettled draw. Ignores saved results. With beacons, waits for their
 * values.
 */
export async function generateNow(
  machine: DrawMachine,
  call: Call<Actor>,
  choice: DrawChoice,
): Promise<RouteResult<typeof generateResult>> {
  return runCommand(
    machine.services,
    call,
    async (tx) => {
      const draw = await lockRunning(machine.services, tx, call.actor, choice);
      requireOwnDraw(draw);
      requireBeforeBeacons(draw, machine.services.clock.now(), 'generate');
      const drawn = await machine.generate(tx, draw);
      if (drawn === 'waiting') return waitingFor(draw);
      const { result, result_label: label, booster } = drawn;
      return {
        result: {
          message: SETTLEMENT_TEXTS.generated,
          drawId: draw.id,
          result: label,
          outcome: result,
          booster,
        },
        subject: SETTLEMENT_SUBJECTS.generated(draw.name, draw.number),
        detail: { drawId: draw.id, result, booster, replaced: draw.saved_result },
        changes: [
          ...changeOf('Saved result', savedWords(draw), null),
          ...changeOf('Result', null, resultWords(draw, result, booster)),
          ...bettingChange(draw),
        ],
      };
    },
    FILE_TIMEOUTS,
  );
}

function waitingFor(draw: DrawRow): Done<RouteResult<typeof generateResult>> {
  return {
    result: {
      message: SETTLEMENT_TEXTS.waitingForBeacon,
      drawId: draw.id,
      result: null,
      outcome: null,
      booster: null,
    },
    subject: SETTLEMENT_SUBJECTS.closed(draw.name, draw.number),
    detail: { drawId: draw.id },
    changes: bettingChange(draw),
  };
}

export async function voidRunning(
  machine: DrawMachine,
  call: Call<Actor>,
  choice: DrawChoice & { reason: string },
): Promise<{ drawId: string }> {
  return runCommand(
    machine.services,
    call,
    async (tx) => {
      const draw = await lockRunning(machine.services, tx, call.actor, choice);
      requireBeforeBeacons(draw, machine.services.clock.now(), 'void');
      const before = statusWords(draw);
      const stakes = [...(await allStakes(tx, draw)).values()].reduce((sum, stake) => sum + stake, 0n);
      const isSeedPublished = await machine.voidDraw(tx, draw, 'operator');
      return {
        result: { drawId: draw.id },
        subject: SETTLEMENT_SUBJECTS.voided(draw.name, draw.number, choice.reason, isSeedPublished),
        // The audit checks why a void draw has no seed.
        detail: { drawId: draw.id, reason: choice.reason, ...(!isSeedPublished && { seedUnreadable: true }) },
        changes: [
          ...changeOf('Draw', before, 'Void, stakes refunded'),
          ...changeOf('Saved result', savedWords(draw), null),
          ...changeOf('Reason', null, choice.reason),
        ],
        guarded: [{ kind: 'void', networkId: draw.network_id, amount: stakes, pins: { drawId: draw.id } }],
      };
    },
    FILE_TIMEOUTS,
  );
}
