import { UNFINISHED } from '../draw-states.ts';
import { PATIENT } from '../db/patience.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockDraw, selectDraws } from './draws.sql.ts';
import { logVoided } from './system-log.ts';

/**
 * Voids every draw of a network that is not finished, each in a transaction of its own: their stakes go back. Of a network that stands beside
 * while a backup is restored, whose draws nothing else moves. One whose players are being paid stays as it is: it is paid on once the network has taken
 * its place, with its accounts. Gives how many are void.
 */
export async function voidUnfinished(machine: DrawMachine, networkId: number, signal: AbortSignal): Promise<number> {
  const { services } = machine;
  const draws = await selectDraws(
    services.db,
    `where d.network_id = $1 and d.status in ${UNFINISHED} and d.status <> 'settling' order by d.draws_at, d.id`,
    [networkId],
  );
  for (const draw of draws) {
    signal.throwIfAborted();
    await services.db.transaction(async (tx) => {
      const locked = await lockDraw(tx, draw);
      await machine.voidDraw(tx, locked, 'restore');
      await logVoided(services, tx, locked, 'restore', { restore: true });
    }, PATIENT);
  }
  return draws.length;
}
