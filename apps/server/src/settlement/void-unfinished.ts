import { UNFINISHED } from '../draw-states.ts';
import { PATIENT } from '../db/patience.ts';
import type { Tx } from '../db/database.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockDraw, selectDraws } from '../draws/draws.sql.ts';
import { listWithheld } from '../draws/publish-withheld.ts';
import { logVoided } from '../draws/system-log.ts';

/** What was voided of a network that stands beside. */
interface VoidedBeside {
  readonly count: number;
  /** Publishes the seeds of those whose close is still to come, which were withheld: in the transaction in which the network takes its place. */
  readonly publish: (tx: Tx) => Promise<void>;
}

/**
 * Voids every draw of a network that is not finished, each in a transaction of its own: their stakes go back. Of a network that stands beside
 * while a backup is restored, whose draws nothing else moves. One whose players are being paid stays as it is: it is paid on once the network has taken
 * its place, with its accounts. The same draws may be open in the network itself, so no seed is written here before its draw's close: `publish` does it with
 * the exchange, and a drill never does.
 */
export async function voidUnfinished(
  machine: DrawMachine,
  networkId: number,
  signal: AbortSignal,
): Promise<VoidedBeside> {
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
  // Those too that were voided for an undo which then came to nothing.
  const ids = await services.db.transaction((tx) => listWithheld(tx, networkId), PATIENT);
  return { count: draws.length, publish: (tx) => machine.publishWithheld(tx, networkId, ids) };
}
