import type { Actor } from '../accounts/authority.ts';
import type { generateResult } from '@drawhouse/contract/draws/draws';
import type { RouteResult } from '@drawhouse/contract/frame/route';
import { changeOf } from '../activity/changes.ts';
import { runCommand } from '../activity/run-command.ts';
import { PATIENT } from '../db/patience.ts';
import type { Call } from '../http/handler.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockRunning } from './lock-running.ts';
import type { DrawChoice } from './lock-running.ts';
import { bettingChange, resultWords, savedWords, statusWords } from './log-texts.ts';

/**
 * Closes betting on the running draw, generates its result now, whatever was saved, and settles it: all in one transaction, so that
 * nobody finds it drawn and not yet settled.
 */
export async function generateNow(
  machine: DrawMachine,
  call: Call<Actor>,
  choice: DrawChoice,
): Promise<Pick<RouteResult<typeof generateResult>, 'drawId' | 'result' | 'outcome' | 'booster'>> {
  return runCommand(
    machine.services,
    call,
    async (tx) => {
      const draw = await lockRunning(machine.services, tx, call.actor, choice);
      const { result, result_label: label, booster } = await machine.generate(tx, draw);
      return {
        result: { drawId: draw.id, result: label, outcome: result, booster },
        subject: `Generated the result of ${draw.name}, draw ${draw.number}`,
        detail: { drawId: draw.id, result, booster, replaced: draw.saved_result },
        changes: [
          ...changeOf('Saved result', savedWords(draw), null),
          ...changeOf('Result', null, resultWords(draw, result, booster)),
          ...bettingChange(draw),
        ],
      };
    },
    PATIENT,
  );
}

/** Voids the running draw: every stake goes back to its player. */
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
      const before = statusWords(draw);
      const isSeedPublished = await machine.voidDraw(tx, draw, 'operator');
      return {
        result: { drawId: draw.id },
        subject: `Voided ${draw.name}, draw ${draw.number}: ${choice.reason}${isSeedPublished ? '' : ' (its seed could not be read)'}`,
        // The audit looks for why a void draw has no seed.
        detail: { drawId: draw.id, reason: choice.reason, ...(!isSeedPublished && { seedUnreadable: true }) },
        changes: [
          ...changeOf('Draw', before, 'Void, all stakes given back'),
          ...changeOf('Saved result', savedWords(draw), null),
          ...changeOf('Reason', null, choice.reason),
        ],
      };
    },
    PATIENT,
  );
}
