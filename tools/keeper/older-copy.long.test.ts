import { once } from 'node:events';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, Socket } from 'node:net';
import { basename, join } from 'node:path';
import { keeperReleaseText } from '@drawhouse/rules/keeper-texts';
import type { KnownRelease, ReleaseAnswer, ReleaseQuestion } from '@drawhouse/rules/keeper-texts';
import { describe, expect, it, vi } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { readEvidence } from './keeper-evidence.ts';
import { makeKey, verifierOf } from './keeper-keys.ts';
import { asked, drawIdAt, got, inFolder, NOON, questionOf, rootFor, startSample } from './keeper-sample.ts';
import type { KeeperOptions } from './start-keeper.ts';
import { proves, verifyFolder } from './verify-folder.ts';

const MINUTE_MS = 60_000;

/** One life of a keeper: it is asked these questions, and ends. */
async function life(
  dir: string,
  questions: readonly ReleaseQuestion[],
  more: Partial<KeeperOptions> & { known?: KnownRelease } = {},
): Promise<ReleaseAnswer[]> {
  const { known, ...options } = more;
  const keeper = await startSample(dir, options);
  try {
    return await asked(keeper, questions, known);
  } finally {
    await keeper.tick();
    await keeper.close();
  }
}

const codesOf = (answers: readonly ReleaseAnswer[]): string[] =>
  answers.map((answer) => ('code' in answer ? answer.code : 'seed'));

/** The release as a server keeps it. */
function keptByServer(question: ReleaseQuestion, answer: ReleaseAnswer | undefined): KnownRelease {
  const { releasedAt, signature } = answer as Exclude<ReleaseAnswer, { code: unknown }>;
  return { ...question, releasedAt, signature };
}

describe('a keeper that is started again', () => {
  it('answers as before, soon after, by the same name', () =>
    inFolder(async (dir) => {
      const [first] = await life(dir, [questionOf(1)]);
      const more = { now: () => NOON + 9 * MINUTE_MS, operator: undefined };
      expect(await life(dir, [questionOf(1)], more)).toEqual([first]);
      expect(codesOf(await life(dir, [questionOf(1, { tickets: 4 }), questionOf(2)], more))).toEqual([
        'OTHER_ROOT',
        'seed',
      ]);
      await expect(startSample(dir, { name: 'other' })).rejects.toThrow(/^--name is other, but this keeper is keeper-/);
    }));

  it('asks a person whether its folder is the newest where it was away long, was copied, or has no stamp', () =>
    inFolder(async (dir) => {
      await life(dir, [questionOf(1), questionOf(2)]);
      const late = { now: () => NOON + 11 * MINUTE_MS };
      await expect(startSample(dir, late)).rejects.toThrow(
        /may be an older copy of itself:[^]*more than ten minutes ago[^]*--newest 2:/,
      );
      await expect(startSample(dir, { ...late, newest: 1 })).rejects.toThrow(/may be an older copy/);
      expect(codesOf(await life(dir, [questionOf(3)], { ...late, newest: 2 }))).toEqual(['seed']);

      await rename(dir, `${dir}-moved`);
      await cp(`${dir}-moved`, dir, { recursive: true, filter: (path) => !basename(path).startsWith('lock') });
      await rm(`${dir}-moved`, { recursive: true });
      await expect(startSample(dir, late)).rejects.toThrow(/is a copy, not the file that it wrote[^]*--newest 3:/);
      await rm(join(dir, 'stamp.json'));
      await expect(startSample(dir, late)).rejects.toThrow(/stamp\.json is missing/);
      expect(codesOf(await life(dir, [questionOf(3)], { ...late, newest: 3 }))).toEqual(['seed']);
    }));

  it('does not start without its key, its journal, or what that had for good', () =>
    inFolder(async (dir) => {
      await life(dir, [questionOf(1), questionOf(2)]);
      const journal = join(dir, 'days', '2026-11-26.releases');
      const whole = await readFile(journal, 'utf8');
      await writeFile(journal, whole.slice(0, whole.indexOf('\n', whole.indexOf('\n') + 1) + 1));
      await expect(startSample(dir)).rejects.toThrow(/has lost releases/);
      expect((await verifyFolder(dir)).problems).toEqual([expect.stringMatching(/has lost releases/)]);
      await writeFile(journal, whole);
      const stored = join(dir, 'days', '2026-11-26.json');
      const day = await readFile(stored, 'utf8');
      await writeFile(stored, day.replace(/"secret":"../, '"secret":"00'));
      await expect(startSample(dir)).rejects.toThrow(/its secret is not that of its root/);
      expect((await verifyFolder(dir)).problems).toEqual([
        expect.stringMatching(/do not have the root that was published/),
      ]);
      await writeFile(stored, day);
      await rm(join(dir, 'keeper.json'));
      await expect(startSample(dir)).rejects.toThrow(/keeper\.json is missing/);
    }));

  it('takes a new operator in place of the last one, and still knows what that asked', () =>
    inFolder(async (dir) => {
      await life(dir, [questionOf(1)]);
      const next = await startSample(dir, { operator: makeKey().publicKey });
      expect(codesOf(await asked(next, [questionOf(2)]))).toEqual(['BAD_SIGNATURE']);
      await next.close();
      expect(await verifyFolder(dir)).toMatchObject({ releases: 1, problems: [] });
    }));
});

describe('a keeper that was put back to an older state', () => {
  it('is found out by what the server has of it: it proves so itself, and releases nothing more for ever', () =>
    inFolder(async (dir) => {
      await life(dir, [questionOf(1)]);
      await cp(dir, `${dir}-old`, { recursive: true });
      const [second] = await life(dir, [questionOf(2)]);
      await rm(dir, { recursive: true });
      await rename(`${dir}-old`, dir);

      const known = keptByServer(questionOf(2), second);
      const other = questionOf(2, { ticketRoot: rootFor('better for the house') });
      // A person said wrongly that it is the newest.
      expect(codesOf(await life(dir, [other, questionOf(1), questionOf(3)], { newest: 1, known }))).toEqual([
        'OLDER_COPY',
        'seed',
        'OLDER_COPY',
      ]);
      const [evidence] = await readEvidence(dir);
      expect(evidence).toMatchObject({ kind: 'older-copy', kept: null, asked: known });
      expect(proves(evidence!)).toBe(true);

      const again = await startSample(dir);
      expect(again.olderCopy).toMatch(/put back to an older state/);
      expect(await got(again.url, '/keeper')).toMatchObject({ olderCopy: again.olderCopy });
      expect(codesOf(await asked(again, [questionOf(4)]))).toEqual(['OLDER_COPY']);
      await again.close();
    }));

  it('has signed two roots where it was asked before the server told it: both together prove it to anyone', () =>
    inFolder(async (dir) => {
      await life(dir, [questionOf(1)]);
      await cp(dir, `${dir}-old`, { recursive: true });
      const [first] = await life(dir, [questionOf(2)]);
      await rm(dir, { recursive: true });
      await rename(`${dir}-old`, dir);
      const other = questionOf(2, { drawId: drawIdAt(NOON, 88) });
      const [second] = await life(dir, [other], { newest: 1 });

      const known = keptByServer(questionOf(2), first);
      expect(codesOf(await life(dir, [questionOf(5)], { known }))).toEqual(['OLDER_COPY']);
      const [evidence] = await readEvidence(dir);
      expect(evidence).toMatchObject({ kind: 'older-copy', kept: keptByServer(other, second), asked: known });
      const isKeepers = verifierOf(evidence!.keeper.publicKey);
      for (const { signature, ...release } of [evidence!.kept!, known])
        expect(isKeepers(keeperReleaseText(evidence!.keeper.name, release, release.releasedAt), signature)).toBe(true);
      expect(proves(evidence!)).toBe(true);
    }));
});

describe('the lock of a folder', () => {
  it('lets in one at a time, of many who come at once too', () =>
    inFolder(async (dir) => {
      const lock = await lockFolder(dir);
      await expect(startSample(dir)).rejects.toThrow(/^Another keeper runs on the folder/);
      await lock.release();
      const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(dir)));
      const held = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(held).toHaveLength(1);
      await held[0]!.release();
    }));

  it('is taken from killed ones by one of many, whose sockets are gone then', () =>
    inFolder(async (dir) => {
      for (let round = 0; round < 10; round++) {
        for (let nth = 0; nth < 3; nth++) {
          // What a killed process leaves: a socket that nobody listens on.
          const killed = createServer().listen(join(dir, 'of the killed'));
          await once(killed, 'listening');
          await rename(join(dir, 'of the killed'), join(dir, `lock-${nth}of-killed`));
          killed.close();
        }
        const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(dir)));
        const held = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        expect(held).toHaveLength(1);
        expect((await readdir(dir)).filter((name) => name.startsWith('lock'))).toHaveLength(1);
        await held[0]!.release();
      }
    }));

  it('is held by one that stays silent, and not by one that had no turn and has given up since', () =>
    inFolder(async (dir) => {
      const silent = createServer().listen(join(dir, 'lock-silent'));
      await once(silent, 'listening');
      await expect(lockFolder(dir)).rejects.toThrow(/^Another keeper runs on the folder/);
      // It gives up once somebody has waited in vain for what it says.
      const waiting: Socket[] = [];
      silent.on('connection', (socket) => {
        waiting.push(socket.resume());
        socket.once('close', () => {
          silent.close();
          for (const each of waiting) each.destroy();
        });
      });
      await (await lockFolder(dir)).release();
    }));

  it('is held by one that was not reached before the time was over', () =>
    inFolder(async (dir) => {
      const lock = await lockFolder(dir);
      // As where this process itself has no turn for so long: the time is over before anything was heard of the connection.
      const timed = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket) {
        process.nextTick(() => this.emit('timeout'));
        return this;
      });
      await expect(lockFolder(dir)).rejects.toThrow(/^Another keeper runs on the folder/);
      timed.mockRestore();
      await lock.release();
    }));

  it('names a folder whose path is too long for it', () =>
    inFolder((dir) => expect(lockFolder(join(dir, 'x'.repeat(90)))).rejects.toThrow(/path of the folder is too long/)));
});
