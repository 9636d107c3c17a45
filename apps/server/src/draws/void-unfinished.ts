import { UNFINISHED } from '../draw-states.ts';
import { PATIENT } from '../db/patience.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockDraw, selectDraws } from './draws.sql.ts';
import { logVoided } from './system-log.ts';

/**
 * Ends every draw of a network that is not finished, in transactions of their own: it is void and the stakes go back, but for one whose players were
 * being paid, which is paid to its end. Of a network that stands beside while a backup is restored, whose draws nothing else moves. Gives how many are void.
 */
export async function voidUnfinished(machine: DrawMachine, networkId: number, signal: AbortSignal): Promise<number> {
  const { services } = machine;
  const draws = await selectDraws(
    services.db,
    `where d.network_id = $1 and d.status in ${UNFINISHED} order by d.draws_at, d.id`,
    [networkId],
  );
  const paying = draws.filter((draw) => draw.draw_status === 'settling');
  for (const draw of paying)
    for (let settled = false; !settled;) {
      signal.throwIfAborted();
      settled = await services.db.transaction(async (tx) => machine.settleOn(tx, await lockDraw(tx, draw)), PATIENT);
    }
  const unpaid = draws.filter((draw) => draw.draw_status !== 'settling');
  for (const draw of unpaid) {
    signal.throwIfAborted();
    await services.db.transaction(async (tx) => {
      const locked = await lockDraw(tx, draw);
      await machine.voidDraw(tx, locked, 'restore');
      await logVoided(services, tx, locked, 'restore', { restore: true });
    }, PATIENT);
  }
  return unpaid.length;
}
