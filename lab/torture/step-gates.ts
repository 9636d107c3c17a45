import { connect } from '../../apps/server/src/db/database.ts';
import type { Queryable } from '../../apps/server/src/db/database.ts';
import { PATIENT } from '../../apps/server/src/db/patience.ts';
import { pause } from '../../tools/demo/client.ts';
import { asOwner } from './stand.ts';
import type { Stand } from './stand.ts';

/** The steps from the close of a draw to its settlement, in their order. */
export const STEPS = ['close', 'draw', 'begin to settle', 'pay', 'settle', 'void'] as const;
/** One of {@link STEPS}. */
type DrawStep = (typeof STEPS)[number];

/** The space of the locks that the gates are. */
const GATES = 0x6a7e;
/** So long a step may take to come, on a busy machine too: the rarest is a draw that somebody voids. */
const COMES_MS = 60_000;

/**
 * Makes a gate of each step: a transaction that takes it passes a lock which somebody may hold. Triggers of the owner's do so, and nothing of the product knows of
 * them.
 */
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
        // Most draws have no tickets: nobody wins or loses on those.
        `if new.ticket_count > 0 then case new.status when 'closed' then ${gate('close')} when 'drawn' then ${gate('draw')} when 'settling' then ${gate('begin to settle')}
           when 'settled' then ${gate('settle')} when 'void' then ${gate('void')} else null; end case; end if;`,
      ) + trigger('gate_of_pieces', 'settlement_pieces', 'insert', gate('pay')),
    ),
  );
}

/**
 * Holds the gate of a step until a transaction waits there, then does what is to be done, and lets it go: the step before has been committed, and this one not yet. Gives
 * false where none came in time, and nothing was done.
 */
export async function atStep(
  stand: Stand,
  step: DrawStep,
  act: () => Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  const db = connect(await stand.ownerUrl(), { onError: () => {}, poolSize: 1, patience: PATIENT });
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
    // The connection may be among what was killed, and the lock is gone with it.
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
