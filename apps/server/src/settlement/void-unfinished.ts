import { UNFINISHED } from '../draw-states.ts';
import { PATIENT } from '../db/patience.ts';
import type { Tx } from '../db/database.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockDraw, selectDraws } from '../draws/draws.sql.ts';
import { logVoided } from '../draws/system-log.ts';

/** What was voided of a network that stands beside. */
interface VoidedBeside {
  readonly count: number;
  /** Publishes their seeds, and those of an earlier undo that came to nothing: in the transaction in which the network takes its place. */
  readonly publish: (tx: Tx) => Promise<void>;
}

/**
 * Voids every draw of a network that is not finished, each in a transaction of its own: their stakes go back. Of a network that stands beside
 * while a backup is restored, whose draws nothing else moves. One whose players are being paid stays as it is: it is paid on once the network has taken
 * its place, with its accounts. The same draws may be open in the network itself, so no seed is written here: `publish` does it with
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
  return { count: draws.length, publish: (tx) => machine.publishSeeds(tx, networkId) };
}
