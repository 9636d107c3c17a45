import { fairDraw } from '@drawhouse/contract/draws/draws';
import { verifyDraw, type PublishedDraw } from '@drawhouse/rules/fair/fair';
import { answered, callOn } from './load/stand-client.ts';
import type { CrashOptions, Verdict } from './crash.ts';
import { createSeededRandom } from './load/random.ts';
import { asOwner, EmbeddedStand, type Stand } from './stand.ts';
import { makeLoad } from './load/torture-load.ts';
import { connect, type Queryable } from '../../apps/server/src/platform/db/database.ts';
import { FILE_TIMEOUTS } from '../../apps/server/src/platform/db/connection/timeouts.ts';
import { pause } from '../../tools/demo/client.ts';

const VICTIMS = ['server', 'everything', 'postgres'] as const;
/** Leaves time for bets on a busy machine. */
const SLOWER = 4;
/** Settles nearly every draw in pieces. */
const IN_PIECES = { SETTLE_WHOLE_UP_TO: '1', SETTLE_PIECE_PLAYERS: '1' };
const CHECKED = 150;

/**
 * Kills between any two steps of a draw: holds the next step's transaction before commit, then kills. Steps occur
 * equally often.
 */
export async function killBetweenSettlementSteps(options: CrashOptions): Promise<Verdict> {
  const stand = await EmbeddedStand.start(undefined, IN_PIECES);
  try {
    return await play(stand, options);
  } finally {
    await stand.stop();
  }
}

async function play(
  stand: EmbeddedStand,
  { rounds: count, seed, size, checkEvery, say, signal }: CrashOptions,
): Promise<Verdict> {
  const random = createSeededRandom(seed);
  const problems: string[] = [];
  const load = await makeLoad(stand, { ...size, slower: SLOWER }, random.fork());
  await makeGates(stand);
  load.play();
  const all = Array.from({ length: Math.ceil(count / STEPS.length) }, () => random.shuffle(STEPS)).flat();
  const judge = async (): Promise<void> => {
    problems.push(...(await load.check()), ...(await checkPublished(stand)));
  };
  let missed = 0;
  for (const [index, step] of all.slice(0, count).entries()) {
    if (signal?.aborted) break;
    await load.untilRunning(signal);
    const victim = random.pick(VICTIMS);
    const isReached = await atStep(stand, step, async () => load.killed(await stand.strike(victim)), signal);
    await stand.recover();
    await stand.untilReady();
    if (!isReached) missed++;
    say(
      `round ${index + 1}: ${isReached ? `kill -9 of ${victim} before “${step}”` : `step “${step}” was not reached`}`,
    );
    const isLast = index + 1 === count;
    if ((index + 1) % checkEvery !== 0 && !isLast) continue;
    await judge();
    if (problems.length > 0) break;
    if (!isLast) load.play();
  }
  if (signal?.aborted) await judge();
  else if (missed > count / 2) problems.push(`${missed} of ${count} steps were not reached.`);
  return { problems, summary: load.summary() };
}

async function checkPublished(stand: Stand): Promise<string[]> {
  const call = callOn(stand);
  const ended = await asOwner(stand, (on) =>
    on.query<{ id: string }>(
      `select id from draws where status in ('settled', 'void') and ticket_count > 0 order by draws_at desc limit ${CHECKED}`,
    ),
  );
  const problems: string[] = [];
  for (const { id } of ended) {
    const draw = (await answered(() => call(fairDraw, { params: { drawId: id } }))) as unknown as PublishedDraw;
    const check = verifyDraw(draw);
    if (!check.ok) problems.push(`Draw ${id}: ${check.problems.join(' ')}`);
  }
  return problems;
}

export const STEPS = ['close', 'draw', 'begin to settle', 'pay', 'settle', 'void'] as const;
type DrawStep = (typeof STEPS)[number];

/** Advisory lock namespace. */
const GATES = 0x6a7e;
/** Timeout per step; voids are rarest. */
const REACHED_MS = 60_000;

/** Triggers make each step's transaction take an advisory lock. The product is unaware of them. */
async function makeGates(stand: Stand): Promise<void> {
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
        `if new.ticket_count > 0 then case new.status when 'closed' then ${gate('close')}
           when 'drawn' then ${gate('draw')} when 'settling' then ${gate('begin to settle')}
           when 'settled' then ${gate('settle')} when 'void' then ${gate('void')} else null; end case; end if;`,
      ) + trigger('gate_of_pieces', 'settlement_pieces', 'insert', gate('pay')),
    ),
  );
}

/**
 * Holds a step's gate until a transaction waits there, runs `act`, then releases: the previous step is committed, this
 * one not. False on timeout.
 */
async function atStep(stand: Stand, step: DrawStep, act: () => Promise<void>, signal?: AbortSignal): Promise<boolean> {
  const db = connect(await stand.ownerUrl(), { onError: () => {}, poolSize: 1, patience: FILE_TIMEOUTS });
  const key = STEPS.indexOf(step);
  let isDone = false;
  try {
    return await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1, $2)', [GATES, key]);
      const until = performance.now() + REACHED_MS;
      while (!(await waitsAt(tx, key))) {
        if (performance.now() > until || signal?.aborted) return false;
        await pause(2, signal);
      }
      await act();
      isDone = true;
      return true;
    });
  } catch (error) {
    // The connection may have been killed with its lock.
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
