import { connect } from '../../apps/server/src/platform/db/database.ts';
import type { Queryable } from '../../apps/server/src/platform/db/database.ts';
import { FILE_TIMEOUTS } from '../../apps/server/src/platform/db/connection/timeouts.ts';
import { pause } from '../../tools/demo/client.ts';
import { asOwner } from './stand.ts';
import type { Stand } from './stand.ts';

export const STEPS = ['close', 'draw', 'begin to settle', 'pay', 'settle', 'void'] as const;
type DrawStep = (typeof STEPS)[number];

/** Advisory lock namespace. */
const GATES = 0x6a7e;
/** Timeout per step; voids are rarest. */
const COMES_MS = 60_000;

/** Adds triggers that make each step's transaction take an advisory lock. The product is unaware of them. */
export async function makeGates(stand: Stand): Promise<void> {
  const gate = (step: DrawStep): string => `perform pg_advisory_xact_lock_shared(${GATES}, ${STEPS.indexOf(step)});`;
  const trigger = (name: string, table: string, when: string, steps: string): string => `
    create function ${name}() returns trigger language plpgsql as $$ begin ${steps} return new; end $$;
    create trigger ${name} before ${when} on ${table} for each row execute function ${name}();`;
  await asOwner(stand, (on) =>
    on.query(
      trigger(
        'gate_of_draws',
        'draws',
        'update of status',
        // Skips draws without tickets, which are most.
        `if new.ticket_count > 0 then case new.status when 'closed' then ${gate('close')} when 'drawn' then ${gate('draw')} when 'settling' then ${gate('begin to settle')}
           when 'settled' then ${gate('settle')} when 'void' then ${gate('void')} else null; end case; end if;`,
      ) + trigger('gate_of_pieces', 'settlement_pieces', 'insert', gate('pay')),
    ),
  );
}

/**
 * Holds a step's gate until a transaction waits there, runs `act`, then releases. The previous step is committed, this
 * one not. Returns false on timeout.
 */
export async function atStep(
  stand: Stand,
  step: DrawStep,
  act: () => Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  const db = connect(await stand.ownerUrl(), { onError: () => {}, poolSize: 1, patience: FILE_TIMEOUTS });
  const key = STEPS.indexOf(step);
  let isDone = false;
  try {
    return await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1, $2)', [GATES, key]);
      const until = performance.now() + COMES_MS;
      while (!(await waitsAt(tx, key))) {
        if (performance.now() > until || signal?.aborted) return false;
        await pause(2, signal);
      }
      await act();
      isDone = true;
      return true;
    });
  } catch (error) {
    // The connection may have been killed along with its lock.
    if (!isDone) throw error;
    return true;
  } finally {
    await db.close().catch(() => {});
  }
}

async function waitsAt(on: Queryable, key: number): Promise<boolean> {
  const waiting = await on.query(
    `select from pg_locks where locktype = 'advisory' and not granted and classid = $1 and objid = $2`,
    [GATES, key],
  );
  return waiting.length > 0;
}
