import { firstRoundAfter, roundTimeMs } from '@drawhouse/rules/drand-chain';
import type { Actor } from '../accounts/authority.ts';
import { runCommand } from '../activity/run-command.ts';
import { PATIENT } from '../db/patience.ts';
import { requirePair } from '../games/pairs.ts';
import type { Call } from '../http/handler.ts';
import { CallError } from '../http/http-errors.ts';
import { waitingDraw } from '../keepers/draw-keepers.sql.ts';
import type { DrawMachine } from './draw-machine.ts';
import { runningDraw } from './draws.sql.ts';
import { lockRunning } from './lock-running.ts';
import type { DrawChoice } from './lock-running.ts';
import { bettingChange } from './log-texts.ts';

/**
 * Of the running draw, where others keep parts of its seed: closes betting on it, for the root of its tickets is what they give them for, and asks for them,
 * in no transaction. A draw that the server keeps alone is left as it is. Throws DRAW_STATE where it closes later, before which no keeper gives its part, or its
 * round of drand is yet to come.
 */
export async function gatherParts(machine: DrawMachine, call: Call<Actor>, choice: DrawChoice): Promise<void> {
  const { services, keeping } = machine;
  const { db, clock } = services;
  const pair = await requirePair(db, call.actor, choice);
  const running = await runningDraw(db, pair, clock.now());
  if (!running?.kept || (choice.drawId !== undefined && choice.drawId !== running.id)) return;
  const { beacon, keepers } = running.kept;
  if (keepers.length > 0 && running.closes_at > clock.now())
    throw new CallError('DRAW_STATE', {
      message: `A part of the seed of this draw is with ${keepers.map(({ name }) => name).join(' and ')}, who ${keepers.length > 1 ? 'give' : 'gives'} it once betting has closed by its time. It is generated then.`,
    });
  const roundMs = beacon && roundTimeMs(beacon, firstRoundAfter(beacon, running.closes_at.getTime()));
  if (roundMs !== null && roundMs > clock.now().getTime())
    throw new CallError('DRAW_STATE', {
      message:
        'A round of drand is a part of the seed of this draw, which comes after betting has closed by its time. It is generated then.',
    });
  if (running.draw_status === 'open')
    await runCommand(
      services,
      call,
      async (tx) => {
        const draw = await lockRunning(services, tx, call.actor, choice);
        if (draw.draw_status === 'open') await machine.close(tx, draw);
        return {
          result: {},
          subject: `Closed betting on ${draw.name}, draw ${draw.number}, to generate its result`,
          detail: { drawId: draw.id },
          changes: bettingChange(draw),
        };
      },
      PATIENT,
    );
  const waits = await waitingDraw(db, running.network_id, running.id);
  if (waits?.status === 'closed') await keeping.askNow(waits);
}
