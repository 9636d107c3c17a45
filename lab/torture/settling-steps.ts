import { fairDraw } from '@drawhouse/contract/draws/draws';
import { verifyDraw } from '@drawhouse/rules/fair/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair/fair';
import { answered, callOn } from './calls.ts';
import type { CrashOptions, Verdict } from './crash.ts';
import { seeded } from './random.ts';
import { asOwner, EmbeddedStand } from './stand.ts';
import type { Stand } from './stand.ts';
import { atStep, makeGates, STEPS } from './step-gates.ts';
import { makeLoad } from './torture-load.ts';

const VICTIMS = ['server', 'everything', 'postgres'] as const;
/** Draws last longer, for bets on a busy machine. */
const SLOWER = 4;
/** Settles nearly every draw in pieces. */
const IN_PIECES = { SETTLE_WHOLE_UP_TO: '1', SETTLE_PIECE_PLAYERS: '1' };
const CHECKED = 150;

/**
 * Kills between any two steps of a draw: holds the next step's transaction before commit, then kills. Steps occur
 * equally often.
 */
export async function settlingSteps(options: CrashOptions): Promise<Verdict> {
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
  const random = seeded(seed);
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
    await load.underWay(signal);
    const victim = random.pick(VICTIMS);
    const came = await atStep(stand, step, async () => load.killed(await stand.strike(victim)), signal);
    await stand.recover();
    await stand.untilReady();
    if (!came) missed++;
    say(`round ${index + 1}: ${came ? `kill -9 of ${victim} before “${step}”` : `step “${step}” was not reached`}`);
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
