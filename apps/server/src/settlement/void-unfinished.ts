import { UNFINISHED } from '../config/draw-states.ts';
import { FILE_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Tx } from '../platform/db/database.ts';
import type { DrawMachine } from './draw-machine.ts';
import { lockDraw, selectDraws } from '../draws/draws.sql.ts';
import { logVoided } from '../draws/states/system-log.ts';
import { sql } from '../platform/db/sql/sql.ts';

interface StagedCounts {
  readonly count: number;
  /** Run inside the exchange transaction. Includes seeds of an earlier, failed undo. */
  readonly publish: (tx: Tx) => Promise<void>;
}

/**
 * Voids draws of a staged copy, one transaction each, returning stakes. Draws being paid continue after the exchange.
 * Seeds stay unwritten, since the live network may have the same draws open: `publish` writes them with the exchange,
 * drills never do.
 */
export async function voidUnfinished(
  machine: DrawMachine,
  networkId: number,
  signal: AbortSignal,
): Promise<StagedCounts> {
  const { services } = machine;
  const draws = await selectDraws(
    services.db,
    sql`where d.network_id = ${networkId} and d.status in ${sql.raw(UNFINISHED)} and d.status <> 'settling' order by d.draws_at, d.id`,
  );
  for (const draw of draws) {
    signal.throwIfAborted();
    await services.db.transaction(async (tx) => {
      const locked = await lockDraw(tx, draw);
      await machine.voidDraw(tx, locked, 'restore');
      await logVoided(services, tx, locked, 'restore', { restore: true });
    }, FILE_TIMEOUTS);
  }
  return { count: draws.length, publish: (tx) => machine.publishSeeds(tx, networkId) };
}
