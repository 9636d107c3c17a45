import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { rootByPath } from '@drawhouse/rules/merkle';
import { keeperDayText, keeperReleaseText } from '@drawhouse/rules/keeper-texts';
import type { ReleaseAnswer, ReleaseQuestion } from '@drawhouse/rules/keeper-texts';
import { describe, expect, it } from 'vitest';
import { readEvidence } from './keeper-evidence.ts';
import { makeKey, signerOf, verifierOf } from './keeper-keys.ts';
import {
  asked,
  drawIdAt,
  got,
  inFolder,
  NOON,
  OPERATOR,
  posted,
  questionOf,
  rootFor,
  signed,
  startSample,
  TODAY,
} from './keeper-sample.ts';
import type { RunningKeeper } from './start-keeper.ts';
import { proves, verifyFolder } from './verify-folder.ts';

const DAY_MS = 86_400_000;

/** Runs a test with a keeper of its own. */
const withKeeper = (act: (keeper: RunningKeeper, dir: string) => Promise<void>, more = {}): Promise<void> =>
  inFolder(async (dir) => {
    const keeper = await startSample(dir, more);
    try {
      await act(keeper, dir);
    } finally {
      await keeper.close();
    }
  });

const sha256 = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
const seedIn = (answer: ReleaseAnswer | undefined): string => {
  if (!answer || !('seed' in answer)) throw new Error(`No seed: ${JSON.stringify(answer)}`);
  return answer.seed;
};
const codeIn = (answer: ReleaseAnswer | undefined): string | undefined =>
  answer && ('code' in answer ? answer.code : 'seed');

describe('a keeper', () => {
  it('publishes today and tomorrow, and a stranger can check each commitment, path, signature and seed', () =>
    withKeeper(async (keeper) => {
      const { name, publicKey } = (await got(keeper.url, '/keeper')) as { name: string; publicKey: string };
      expect(name).toMatch(/^keeper-[0-9a-f]{8}$/);
      for (const day of [TODAY, '2026-11-27']) {
        const published = (await got(keeper.url, `/days/${day}`)) as {
          day: string;
          size: number;
          root: string;
          signature: string;
        };
        const { size, root, signature } = published;
        expect(verifierOf(publicKey)(keeperDayText({ name, day, size, root }), signature)).toBe(true);
        const commitments: string[] = [];
        while (commitments.length < size) {
          const part = await got(keeper.url, `/days/${day}/commitments?from=${commitments.length}&count=1100`);
          commitments.push(...(part['commitments'] as string[]));
        }
        for (const index of [0, 1, 1023, 1024, 2047, 2048, 2999]) {
          const { path } = (await got(keeper.url, `/days/${day}/path?index=${index}`)) as { path: string[] };
          const leaf = Buffer.from(commitments[index]!, 'hex');
          const found = rootByPath({ leaf, index, size, path: path.map((node) => Buffer.from(node, 'hex')) });
          expect(Buffer.from(found!).toString('hex')).toBe(root);
        }
        if (day !== TODAY) continue;
        const [answer] = await asked(keeper, [questionOf(7)]);
        expect(sha256(seedIn(answer))).toBe(commitments[7]);
        const { releasedAt, signature: released } = answer as Exclude<ReleaseAnswer, { code: unknown }>;
        expect(releasedAt).toBe(new Date(NOON).toISOString());
        const release = keeperReleaseText(name, questionOf(7), releasedAt);
        expect(verifierOf(publicKey)(release, released)).toBe(true);
      }
    }));

  it('has published no other day, and nothing past its end', () =>
    withKeeper(async (keeper) => {
      for (const day of ['2026-11-25', '2026-11-28', '2026-02-31'])
        expect(await got(keeper.url, `/days/${day}`)).toMatchObject({
          code: 'NOT_PUBLISHED',
          message: expect.stringContaining(day),
        });
      const later = questionOf(0, { day: '2026-11-28', drawId: drawIdAt(NOON + 2 * DAY_MS, 1) });
      expect((await asked(keeper, [later, questionOf(3_000)])).map(codeIn)).toEqual(['NOT_PUBLISHED', 'NOT_PUBLISHED']);
    }));

  it('answers the same question the same again, be it beside itself', () =>
    withKeeper(async (keeper) => {
      const questions = [questionOf(1), questionOf(2), questionOf(1)];
      const [one, two, again] = await asked(keeper, questions);
      expect(again).toEqual(one);
      expect(two).not.toEqual(one);
      expect(await asked(keeper, questions)).toEqual([one, two, one]);
    }));

  it('releases a place once, whatever else is asked of it: another root, another count, another draw', () =>
    withKeeper(async (keeper, dir) => {
      const first = questionOf(5);
      const [answer] = await asked(keeper, [first]);
      const others: ReleaseQuestion[] = [
        { ...first, ticketRoot: rootFor('one ticket more') },
        { ...first, tickets: 4 },
        { ...first, closesAt: new Date(NOON - 1).toISOString() },
        { ...first, commitment: rootFor('a seed that suits') },
        { ...first, drawId: drawIdAt(NOON, 77) },
        { ...first, index: 6 },
        { ...first, day: '2026-11-27', index: 6 },
      ];
      for (const other of others) {
        const [refused] = await asked(keeper, [other]);
        expect(refused).toMatchObject({
          code: 'OTHER_ROOT',
          kept: { ...first, signature: (answer as { signature: string }).signature },
        });
      }
      // Neither the index nor the draw that went with those questions is spent.
      expect(seedIn((await asked(keeper, [questionOf(6)]))[0])).toMatch(/^[0-9a-f]{64}$/);
      expect(await asked(keeper, [first])).toEqual([answer]);

      const [evidence, ...more] = await readEvidence(dir);
      expect(more).toEqual([]);
      expect(evidence).toMatchObject({
        kind: 'other-root',
        operator: OPERATOR.publicKey,
        asked: others[0],
        kept: first,
      });
      expect(proves(evidence!)).toBe(true);
      expect(proves({ ...evidence!, asked: { ...evidence!.asked, tickets: 9 } })).toBe(false);
      expect(proves({ ...evidence!, kept: { ...evidence!.kept!, ticketRoot: rootFor('made up') } })).toBe(false);
      expect(proves({ ...evidence!, asked: signed(keeper.identity.publicKey, questionOf(8)) })).toBe(false);
      expect(await verifyFolder(dir)).toEqual({ days: 2, releases: 2, evidence: 1, problems: [] });
    }));

  it('says what it has found where the file of evidence takes no more', async () => {
    const noted: string[] = [];
    await withKeeper(
      async (keeper, dir) => {
        await writeFile(join(dir, 'evidence.jsonl'), '');
        await truncate(join(dir, 'evidence.jsonl'), 64 * 1024 * 1024 + 1);
        await asked(keeper, [questionOf(5), { ...questionOf(5), tickets: 4 }]);
      },
      { noted: ({ message }: Error) => noted.push(message) },
    );
    expect(noted).toEqual([expect.stringMatching(/evidence\.jsonl is full: move it elsewhere .*"kind":"other-root"/)]);
  });

  it('releases nothing before betting closes by its own clock, whoever asks, and then as if it had not been asked', () => {
    let now = NOON;
    return withKeeper(
      async (keeper, dir) => {
        const closesAt = new Date(NOON + 60_000).toISOString();
        const early = questionOf(4, { closesAt });
        const [refused, given] = await asked(keeper, [early, questionOf(5)]);
        expect([codeIn(refused), codeIn(given)]).toEqual(['STILL_OPEN', 'seed']);
        expect(refused).toMatchObject({ message: expect.stringContaining(closesAt) });
        now += 59_999;
        expect((await asked(keeper, [early])).map(codeIn)).toEqual(['STILL_OPEN']);
        // Whoever says an earlier close to have it at once has it for that close, for ever.
        now += 1;
        const [answer] = await asked(keeper, [early]);
        expect(answer).toMatchObject({ releasedAt: closesAt });
        const [other] = await asked(keeper, [{ ...early, closesAt: new Date(NOON).toISOString() }]);
        expect(other).toMatchObject({ code: 'OTHER_ROOT', kept: early });
        expect(await verifyFolder(dir)).toEqual({ days: 2, releases: 2, evidence: 1, problems: [] });
      },
      { now: () => now },
    );
  });

  it('holds a question that comes a moment early until it is time', () => {
    const begunMs = Date.now();
    const now = (): number => NOON + Date.now() - begunMs;
    return withKeeper(
      async (keeper) => {
        const closesAt = new Date(now() + 400).toISOString();
        const [answer] = await asked(keeper, [questionOf(4, { closesAt })]);
        expect(seedIn(answer)).toMatch(/^[0-9a-f]{64}$/);
        expect((answer as { releasedAt: string }).releasedAt >= closesAt).toBe(true);
      },
      { now },
    );
  });

  it('keeps what was found after a kill that tore a line of the evidence', () =>
    withKeeper(async (keeper, dir) => {
      await asked(keeper, [questionOf(1), questionOf(2)]);
      const file = join(dir, 'evidence.jsonl');
      await writeFile(file, '{"kind":"other-ro');
      for (const index of [1, 2]) await asked(keeper, [questionOf(index, { tickets: 9 })]);
      expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(4);
      expect(await readEvidence(dir)).toHaveLength(2);
      expect(await verifyFolder(dir)).toEqual({ days: 2, releases: 2, evidence: 2, problems: [] });
    }));

  it('gives one of many who ask at once for one place the seed, and all others the same reason', () =>
    withKeeper(async (keeper) => {
      const questions = Array.from({ length: 20 }, (_, at) =>
        questionOf(9, { ticketRoot: rootFor(`root ${at % 10}`) }),
      );
      const answers = (await Promise.all(questions.map((question) => asked(keeper, [question])))).flat();
      const kept = answers.flatMap((answer) => ('kept' in answer && answer.kept ? [answer.kept] : []));
      expect(new Set(kept.map((each) => each.ticketRoot))).toHaveLength(1);
      const given = questions.filter((_, at) => 'seed' in answers[at]!);
      expect(given).toHaveLength(2);
      expect(new Set(given.map(({ ticketRoot }) => ticketRoot))).toEqual(new Set([kept[0]!.ticketRoot]));
    }));

  it('answers nobody but its operator, and no question that was signed for another keeper', () =>
    withKeeper(async (keeper) => {
      const question = questionOf(1);
      const { publicKey } = keeper.identity;
      const strangers = signerOf(makeKey());
      const wrong = [
        { ...signed(publicKey, question), operatorSignature: strangers(Buffer.from('anything')) },
        signed(makeKey().publicKey, question),
        { ...signed(publicKey, question), index: 2 },
      ];
      const { results } = (await posted(keeper.url, { releases: wrong })) as unknown as { results: ReleaseAnswer[] };
      expect(results.map(codeIn)).toEqual(['BAD_SIGNATURE', 'BAD_SIGNATURE', 'BAD_SIGNATURE']);
      expect((await asked(keeper, [question])).map(codeIn)).toEqual(['seed']);
    }));

  it('releases a seed of about the day of the draw alone, so that no draw can have one of a day that is forgotten', () =>
    withKeeper(async (keeper) => {
      const ids = [NOON - 2 * DAY_MS, NOON + 2 * DAY_MS].map((time) => drawIdAt(time, 1));
      const questions = [...ids, '0190b5a2-8f4c-4c3e-9d5b-2f6a1c0e4b7d'].map((drawId, at) =>
        questionOf(at, { drawId }),
      );
      expect((await asked(keeper, questions)).map(codeIn)).toEqual(['BAD_DRAW_ID', 'BAD_DRAW_ID', 'BAD_DRAW_ID']);
      const beside = [NOON - DAY_MS, NOON + DAY_MS].map((time, at) => questionOf(at, { drawId: drawIdAt(time, 1) }));
      expect((await asked(keeper, beside)).map(codeIn)).toEqual(['seed', 'seed']);
    }));

  it('goes on through the days: what was released stays so, and what was not in a week never is', () => {
    let now = NOON;
    return withKeeper(
      async (keeper) => {
        const [answer] = await asked(keeper, [questionOf(1)]);
        now += 6 * DAY_MS;
        await keeper.tick();
        const later = questionOf(1, { drawId: drawIdAt(now, 1) }, now);
        expect((await asked(keeper, [later, questionOf(2)])).map(codeIn)).toEqual(['seed', 'seed']);
        now += 3 * DAY_MS;
        await keeper.tick();
        expect(await asked(keeper, [questionOf(1)])).toEqual([answer]);
        expect((await asked(keeper, [questionOf(3)])).map(codeIn)).toEqual(['DAY_OVER']);
        expect((await asked(keeper, [questionOf(1, { tickets: 9 })])).map(codeIn)).toEqual(['OTHER_ROOT']);
      },
      { now: () => now },
    );
  });
});

describe('what is asked wrongly', () => {
  it('is told which field, and what would be right', () =>
    withKeeper(async (keeper) => {
      const right = signed(keeper.identity.publicKey, questionOf(1));
      const releasedAt = new Date(NOON).toISOString();
      const wrong: [unknown, string][] = [
        ['{', 'The body must be JSON.'],
        [[], 'The body must be {"releases": [...]}.'],
        [{}, 'releases must be a list of at most 1000 questions.'],
        [{ releases: Array(1_001).fill(right) }, 'releases must be a list of at most 1000 questions.'],
        [{ releases: [right, null] }, 'releases[1] must be an object.'],
        [{ releases: [{ ...right, day: 'today' }] }, 'releases[0].day is a day of UTC such as 2026-11-26.'],
        [
          { releases: [{ ...right, closesAt: 'noon' }] },
          'releases[0].closesAt is a time such as 2026-11-26T12:00:00.000Z.',
        ],
        [{ releases: [right, { ...right, index: '1' }] }, 'releases[1].index is a whole number from 0.'],
        [{ releases: [{ ...right, ticketRoot: null }] }, 'releases[0].ticketRoot is 64 hex digits in lower case.'],
        [
          { releases: [{ ...right, operatorSignature: 'ab' }] },
          'releases[0].operatorSignature is 128 hex digits in lower case.',
        ],
        [
          { releases: [], known: { ...questionOf(1), releasedAt: 'now', signature: 'ab' } },
          'known.releasedAt is a time such as 2026-11-26T12:00:00.000Z.',
        ],
        [
          { releases: [], known: { ...questionOf(1), releasedAt, signature: 'ab' } },
          'known.signature is 128 hex digits in lower case.',
        ],
        [
          { releases: [right], known: { ...questionOf(1), releasedAt, signature: 'ab'.repeat(64) } },
          'known.signature is not that of this keeper on that release.',
        ],
      ];
      for (const [body, message] of wrong)
        expect(await posted(keeper.url, body)).toEqual({ status: 400, code: 'VALIDATION', message });
      expect(await posted(keeper.url, ' '.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413, code: 'TOO_LARGE' });
      const queries: [string, string][] = [
        [`/days/${TODAY}/path`, 'index must be a whole number from 0 to 2999.'],
        [`/days/${TODAY}/path?index=3000`, 'index must be a whole number from 0 to 2999.'],
        [`/days/${TODAY}/commitments?from=-1`, 'from must be a whole number from 0 to 3000.'],
        [`/days/${TODAY}/commitments?count=10001`, 'count must be a whole number from 0 to 10000.'],
      ];
      for (const [path, message] of queries)
        expect(await got(keeper.url, path)).toEqual({ code: 'VALIDATION', message });
      expect(await got(keeper.url, '/seeds')).toMatchObject({ code: 'NOT_FOUND' });
      expect(await got(keeper.url, '/release')).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
      expect(await got(keeper.url, '//')).toMatchObject({ code: 'VALIDATION' });
    }));

  it('has a release that is said to be known looked at beside a question of the operator alone', () =>
    withKeeper(async (keeper, dir) => {
      const [answer] = await asked(keeper, [questionOf(1)]);
      const strangers = signerOf(makeKey())(Buffer.from('anything'));
      const releasedAt = new Date(NOON).toISOString();
      const known = {
        ...questionOf(2),
        releasedAt,
        signature: signerOf(keeper.identity)(keeperReleaseText(keeper.identity.name, questionOf(2), releasedAt)),
      };
      for (const releases of [[], [{ ...questionOf(1), operatorSignature: strangers }]])
        expect(await posted(keeper.url, { releases, known })).toMatchObject({ status: 200 });
      expect(await got(keeper.url, '/keeper')).toMatchObject({ olderCopy: null });
      expect(await readEvidence(dir)).toEqual([]);
      expect(await asked(keeper, [questionOf(1)], known)).toEqual([answer]);
      expect(await got(keeper.url, '/keeper')).toMatchObject({ olderCopy: expect.stringContaining('index 2') });
    }));

  it('has twenty connections of one address, and room for the next once one is gone', () =>
    withKeeper(async (keeper) => {
      const { port } = new URL(keeper.url);
      const sockets: Socket[] = [];
      const opened = async (): Promise<Socket> => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
        sockets.push(socket);
        await once(socket, 'connect');
        return socket;
      };
      for (let count = 0; count < 20; count++) await opened();
      const late = await opened();
      await once(late, 'close');
      expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(20);
      for (const socket of sockets) socket.destroy();
      await expect.poll(() => got(keeper.url, '/keeper').catch(() => ({}))).toHaveProperty('name');
    }));
});
