import { fairDraw } from '@drawhouse/contract/draws/draws';
import { examineKeepers } from '@drawhouse/rules/examine-keepers';
import { verifyDraw } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { isEd25519 } from '@drawhouse/rules/verify-ed25519';
import { answered, callOn } from './calls.ts';
import type { CrashOptions, Verdict } from './crash.ts';
import { KeeperBeside } from './keeper-beside.ts';
import { seeded } from './random.ts';
import type { Random } from './random.ts';
import { asOwner, EmbeddedStand } from './stand.ts';
import type { Stand } from './stand.ts';
import { atStep, makeGates, STEPS, STEPS_ALONE } from './step-gates.ts';
import { makeLoad } from './torture-load.ts';

/** What is killed at a step; without a keeper the last is none. */
const VICTIMS = ['server', 'everything', 'postgres', 'keeper', 'server and keeper'] as const;
const VICTIMS_ALONE = VICTIMS.slice(0, 3);
/** A step is waited for: draws may be as long as a busy machine needs to bet on them. */
const SLOWER = 4;
/** Nearly each draw is paid in pieces, however few bet on it. */
const IN_PIECES = { SETTLE_WHOLE_UP_TO: '1', SETTLE_PIECE_PLAYERS: '1' };
/** Of draws that have ended, so many are checked by what is published of them. */
const CHECKED = 150;

/**
 * Kills between each two steps of a draw, from its close over its keeper to its settlement: whatever takes the next one is held before it can be committed, and
 * killed there. First without a keeper, then with one, which is killed too. Each step comes about equally often.
 */
export async function settlingSteps(options: CrashOptions): Promise<Verdict> {
  const verdicts = [await rounds(options, false)];
  if (!options.signal?.aborted) verdicts.push(await rounds(options, true));
  return {
    problems: verdicts.flatMap(({ problems }) => problems),
    summary: verdicts.map(({ summary }) => summary).join('\n  '),
  };
}

async function rounds(options: CrashOptions, isKept: boolean): Promise<Verdict> {
  const keeper = isKept ? await KeeperBeside.start() : undefined;
  try {
    const stand = await EmbeddedStand.start(undefined, { ...IN_PIECES, ...keeper?.settings });
    try {
      return await play(stand, keeper, options);
    } finally {
      await stand.stop();
    }
  } finally {
    await keeper?.stop();
  }
}

async function play(
  stand: EmbeddedStand,
  keeper: KeeperBeside | undefined,
  { rounds: both, seed, size, checkEvery, say, signal }: CrashOptions,
): Promise<Verdict> {
  const count = Math.ceil(both / 2);
  const random = seeded(seed);
  const problems: string[] = [];
  const load = await makeLoad(stand, { ...size, slower: SLOWER }, random.fork());
  await makeGates(stand);
  load.play();
  const steps = keeper ? STEPS : STEPS_ALONE;
  const all = Array.from({ length: Math.ceil(count / steps.length) }, () => random.shuffle(steps)).flat();
  const judge = async (): Promise<void> => {
    problems.push(...(await load.check()), ...(await checkPublished(stand)), ...((await keeper?.problems()) ?? []));
  };
  let missed = 0;
  for (const [index, step] of all.slice(0, count).entries()) {
    if (signal?.aborted) break;
    await load.underWay(signal);
    const victim = random.pick(keeper ? VICTIMS : VICTIMS_ALONE);
    const came = await atStep(stand, step, async () => load.killed(await strike(stand, keeper, victim)), signal);
    await recover(stand, keeper, victim, came, random);
    if (!came) missed++;
    say(
      `round ${index + 1}${keeper ? ', with a keeper' : ''}: ${came ? `kill -9 of ${victim} before “${step}”` : `nothing came to “${step}”`}`,
    );
    const isLast = index + 1 === count;
    if ((index + 1) % checkEvery !== 0 && !isLast) continue;
    await judge();
    if (problems.length > 0) break;
    if (!isLast) load.play();
  }
  if (signal?.aborted) await judge();
  else if (missed > count / 2) problems.push(`Of ${count} steps that were waited for ${missed} did not come.`);
  return { problems, summary: load.summary() };
}

async function strike(
  stand: EmbeddedStand,
  keeper: KeeperBeside | undefined,
  victim: (typeof VICTIMS)[number],
): Promise<Date> {
  if (victim.endsWith('keeper')) await keeper!.kill();
  return victim === 'keeper' ? new Date() : stand.strike(victim === 'server and keeper' ? 'server' : victim);
}

/** Starts again what was killed: the keeper before the server or after it. */
async function recover(
  stand: EmbeddedStand,
  keeper: KeeperBeside | undefined,
  victim: (typeof VICTIMS)[number],
  came: boolean,
  random: Random,
): Promise<void> {
  const again = [
    async () => (came && victim.endsWith('keeper') ? keeper?.startAgain() : undefined),
    () => stand.recover(),
  ];
  for (const start of random.shuffle(again)) await start();
  await stand.untilReady();
}

/** What is wrong with draws that have ended, by what is published of each alone: that its result follows from what was committed to. */
async function checkPublished(stand: Stand): Promise<string[]> {
  const call = callOn(stand);
  const ended = await asOwner(stand, (on) =>
    on.query<{ id: string }>(
      `select id from draws where status in ('settled', 'void') and ticket_count > 0 order by draws_at desc limit ${CHECKED}`,
    ),
  );
  const problems: string[] = [];
  for (const { id } of ended) {
    const draw = (await answered(() => call(fairDraw, { params: { drawId: id } }))) as unknown as PublishedDraw &
      Parameters<typeof examineKeepers>[0];
    const check = verifyDraw(draw);
    const wrong = [...(check.ok ? [] : check.problems), ...examineKeepers(draw, isEd25519).problems];
    if (wrong.length > 0) problems.push(`Draw ${id}: ${wrong.join(' ')}`);
  }
  return problems;
}
