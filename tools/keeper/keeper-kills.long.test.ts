import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ReleaseAnswer, ReleaseQuestion } from '@drawhouse/rules/keeper-texts';
import { afterEach, describe, expect, it } from 'vitest';
import { endKeepers, startKeeperProcess } from './keeper-process.ts';
import type { KeeperProcess } from './keeper-process.ts';
import { asked, inFolder, questionOf, rootFor } from './keeper-sample.ts';
import { verifyFolder } from './verify-folder.ts';

const ROUNDS = Number(process.env['KEEPER_KILLS'] ?? 4);
const CALLERS = 6;
const PLACES = 150;

/** What was told of each place, in all lives: who asked it what, and what came back. */
type Told = Map<number, { readonly question: ReleaseQuestion; readonly answer: ReleaseAnswer }[]>;

/** Asks two different questions about each place of a day, from several sides at once, until nobody answers. */
async function askUntilKilled(keeper: KeeperProcess, told: Told, seed: number, begunMs: number): Promise<void> {
  const ask = async (caller: number): Promise<void> => {
    for (let step = 0; ; step++) {
      const questions = [0, 1, 2].map((at) => {
        const index = (seed * 31 + caller * 7 + step * 3 + at) % PLACES;
        return questionOf(index, { ticketRoot: rootFor(`${index} by ${(caller + step) % 2}`) }, begunMs);
      });
      const answers = await asked(keeper, questions).catch(() => undefined);
      if (!answers) return;
      for (const [at, answer] of answers.entries()) {
        const question = questions[at]!;
        told.set(question.index, [...(told.get(question.index) ?? []), { question, answer }]);
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => ask(caller)));
}

/** Which root each place was released for, by all that was ever told of it. */
function rootsOf(told: Told): Map<number, Set<string>> {
  return new Map(
    [...told].map(([index, all]) => [
      index,
      new Set(
        all.map(({ question, answer }) =>
          'kept' in answer && answer.kept ? answer.kept.ticketRoot : question.ticketRoot,
        ),
      ),
    ]),
  );
}

async function command(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const script = fileURLToPath(new URL('../keeper.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
}

afterEach(endKeepers);

describe('a keeper that is killed at any moment', () => {
  it('has never told of two questions for one place, in all its lives, and its folder is whole', () =>
    inFolder(async (dir) => {
      const told: Told = new Map();
      let begunMs: number | undefined;
      for (let round = 0; round < ROUNDS; round++) {
        const keeper = await startKeeperProcess(dir);
        // All is asked of one day that the keeper has, also where the next one begins meanwhile.
        begunMs ??= Date.now();
        const asking = askUntilKilled(keeper, told, round, begunMs);
        // Killed while it answers: after another number of answers in each round.
        await expect.poll(() => [...told.values()].flat().length).toBeGreaterThan(round * 200 + 40);
        await keeper.kill();
        await asking;
      }
      const last = await startKeeperProcess(dir);
      const roots = rootsOf(told);
      expect(roots.size).toBeGreaterThan(20);
      for (const [index, found] of roots) {
        expect(found.size).toBe(1);
        const first = told.get(index)!.find(({ answer }) => 'seed' in answer);
        if (first) expect(await asked(last, [first.question])).toEqual([first.answer]);
      }
      expect(await last.stop()).toBe(0);
      const report = await verifyFolder(dir);
      expect(report.problems).toEqual([]);
      expect(report.releases).toBeGreaterThanOrEqual(roots.size);
    }));

  it('leaves its folder to one of those that come after it, never to two', () =>
    inFolder(async (dir) => {
      const first = await startKeeperProcess(dir);
      await expect(startKeeperProcess(dir)).rejects.toThrow(/Another keeper runs on the folder/);
      await first.kill();
      const both = await Promise.allSettled([startKeeperProcess(dir), startKeeperProcess(dir)]);
      const up = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(up).toHaveLength(1);
      await up[0]!.stop();
    }));
});

describe('npm run keeper', () => {
  it('says how it is used, and which argument is wrong', async () => {
    expect(await command(['--help'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Usage: npm run keeper'),
    });
    const wrong: [string[], string][] = [
      [[], '--dir is missing'],
      [['--dir', 'x', '--operator', 'ab'], '--operator: It must be 64 hex digits, or a verifier key'],
      [['--dir', 'x', '--port', '70000'], '--port must be a whole number from 0 to 65535.'],
      [['audit', '--dir', 'x'], 'There is no audit'],
    ];
    for (const [args, message] of wrong)
      expect(await command(args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  });

  it('starts with an operator alone, and verifies what is there', () =>
    inFolder(async (dir) => {
      expect(await command(['--dir', dir])).toMatchObject({
        code: 1,
        output: expect.stringContaining('--operator is missing'),
      });
      expect(await command(['verify', '--dir', dir])).toMatchObject({
        code: 1,
        output: expect.stringContaining('There is no keeper'),
      });
      const keeper = await startKeeperProcess(dir, ['--name', 'second-party']);
      // It has this day, also where one has begun since this file did.
      await asked(keeper, [questionOf(1, {}, Date.now())]);
      expect(await command(['verify', '--dir', dir])).toEqual({
        code: 0,
        output: '2 days, 1 releases, 0 lines of evidence: all right.\n',
      });
      await keeper.stop();
    }));
});
