import { newPrivateKey, signerOf, verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointIn } from './log-look.ts';
import type { LookPorts } from './log-look.ts';
import { ModelLogs } from './model-logs.ts';
import { afterSettling, firstSight, lookAgain, readWatched } from './watched-log.ts';
import type { Watched } from './watched-log.ts';
import { barOf } from './watch-words.ts';

const signer = signerOf(newPrivateKey());
const otherSigner = signerOf(newPrivateKey());

/** A browser that looks at a model of a server. */
class Browser {
  readonly server: ModelLogs;
  readonly ports: LookPorts;
  watched: Watched | null = null;
  heard: string | null = null;
  at = 0;

  constructor(server: ModelLogs, verifies = true) {
    this.server = server;
    this.ports = { get: server.get, verify: verifies ? verifyOnNode : null };
  }

  async look(): Promise<Watched | null> {
    const { watched, heard, ports } = this;
    this.at++;
    this.watched = watched
      ? (await lookAgain(watched, heard === null ? [] : [heard], ports, this.at)).watched
      : await firstSight(ports, this.at);
    this.heard = null;
    // It is kept as a text between two looks.
    this.watched = readWatched(JSON.stringify(this.watched));
    return this.watched;
  }
}

/** A server with so many records, and a browser that has seen them. */
async function seen(records: number, verifies = true): Promise<Browser> {
  const server = new ModelLogs(signer);
  server.append(recordsOf(records, 'first'));
  const browser = new Browser(server, verifies);
  await browser.look();
  return browser;
}

function recordsOf(count: number, of: string): string[] {
  return Array.from({ length: count }, (_, nth) => `tickets 1\n${of}\t${nth}\n`);
}

const honestStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('append' as const), count: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hear' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin anew' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('be away' as const), status: fc.constantFrom(404, 500, 503, 429) }),
  },
);

describe('an honest server', () => {
  it('never alarms anybody, whatever it does and whenever it is looked at', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(honestStep, { maxLength: 25 }), async (verifies, steps) => {
        const server = new ModelLogs(signer);
        const browser = new Browser(server, verifies);
        for (const [nth, step] of steps.entries()) {
          if (step.do === 'append') server.append(recordsOf(step.count, `step ${nth}`));
          else if (step.do === 'begin anew') server.beginAnew('A restore.');
          else if (step.do === 'hear') browser.heard = server.checkpoint();
          else {
            server.status = step.do === 'be away' ? step.status : null;
            await browser.look();
            server.status = null;
          }
          expect(browser.watched?.found ?? null).toBeNull();
        }
        await browser.look();
        expect(browser.watched).toMatchObject({ found: null, note: server.checkpoint(), isVerified: verifies });
      }),
      {
        numRuns: 50,
        examples: [
          [
            false,
            [
              { do: 'begin anew' },
              { do: 'look' },
              { do: 'append', count: 1 },
              { do: 'hear' },
              { do: 'be away', status: 404 },
            ],
          ],
        ],
      },
    );
  });

  it('is told of where it began a new log, and why', async () => {
    const browser = await seen(10);
    browser.server.append(recordsOf(5, 'more'));
    browser.server.beginAnew('The database was put back.');
    browser.server.append(recordsOf(3, 'anew'));
    browser.server.beginAnew('Once more.');
    expect(await browser.look()).toMatchObject({
      found: null,
      begun: { from: 'model/seals/1', to: 'model/seals/3', why: 'The database was put back.' },
    });
    expect(afterSettling(browser.watched!)).toMatchObject({ begun: null, note: browser.server.checkpoint() });
  });
});

describe('a server that has other books than it had', () => {
  it('is found at the next look, whatever was taken out or changed and however much came after', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(),
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        async (size, anyPlace, added, verifies) => {
          const browser = await seen(size, verifies);
          const { server, watched } = browser;
          const log = server.logs[0]!;
          const place = anyPlace % size;
          // From one record on all is put back, and other records come: fewer than there were, as many, or more.
          log.splice(place, size, ...recordsOf(added, 'other'));
          const now = await browser.look();
          const how = log.length < size ? 'rolled back' : log.length === size ? 'forked' : 'unproved';
          expect(now!.found).toMatchObject({ misfit: how, before: watched!.note, now: server.checkpoint() });
          expect(now!.note).toBe(watched!.note);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is found by one changed record, where all else is as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat({ max: 30 }), async (size, place, more) => {
        const browser = await seen(size);
        browser.server.logs[0]![place % size] = 'tickets 1\nchanged\n';
        browser.server.append(recordsOf(more, 'more'));
        expect((await browser.look())!.found).not.toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  it('is found by what came with a bet, which was never asked for', async () => {
    const browser = await seen(10);
    const honest = browser.server.logs[0]!;
    browser.server.logs[0] = [...honest.slice(0, 9), ...recordsOf(20, 'other')];
    browser.heard = browser.server.checkpoint();
    browser.server.logs[0] = honest;
    expect((await browser.look())!.found).toMatchObject({ misfit: 'unproved' });
    browser.watched = afterSettling({ ...browser.watched!, found: null });
    browser.server.logs[0] = recordsOf(5, 'other');
    browser.heard = browser.server.checkpoint();
    browser.server.logs[0] = honest;
    expect((await browser.look())!.found).toMatchObject({ misfit: 'unproved' });
  });

  it('is found where it refuses to prove, and not where it can’t be reached', async () => {
    const browser = await seen(10);
    browser.server.append(recordsOf(5, 'more'));
    const { get } = browser.server;
    const answering = (status: number | null): LookPorts => ({
      ...browser.ports,
      get: async (path) => {
        if (!path.includes('/proof')) return get(path);
        if (status === null) throw new Error('no connection');
        return { status, text: '{"path":"none"}' };
      },
    });
    for (const status of [null, 500, 503, 429])
      expect((await lookAgain(browser.watched!, [], answering(status), 5)).watched.found).toBeNull();
    for (const status of [200, 400, 404])
      expect((await lookAgain(browser.watched!, [], answering(status), 5)).watched.found).toMatchObject({
        misfit: 'unproved',
      });
  });

  it('is found where another key signs, where the signature is none, and where it is not to be verified, by whose it says it is', async () => {
    for (const verifies of [true, false]) {
      const browser = await seen(4, verifies);
      browser.server.signer = otherSigner;
      expect((await browser.look())!.found).toMatchObject({ misfit: 'other key' });
    }
    const browser = await seen(4);
    const { get } = browser.server;
    const forged = async (path: string) => {
      const { status, text } = await get(path);
      const isNote = path.endsWith('/checkpoint');
      return {
        status,
        text: isNote
          ? text.replace(/(.{10})(.)(=*\n)$/, (_, a, b, c) => `${b === 'A' ? 'B' : 'A'}${a.slice(1)}${b}${c}`)
          : text,
      };
    };
    const { watched } = await lookAgain(browser.watched!, [], { ...browser.ports, get: forged }, 5);
    expect(watched.found).toMatchObject({ misfit: 'other key' });
  });

  it('is found where a new log does not name the one that was seen', async () => {
    const nameless = await seen(10);
    nameless.server.beginAnew('Files were lost.', 'nothing');
    expect((await nameless.look())!.found).toMatchObject({ misfit: 'other log' });

    const short = await seen(10);
    short.server.beginAnew('A restore.', 7);
    expect((await short.look())!.found).toMatchObject({ misfit: 'rolled back' });

    const changed = await seen(10);
    changed.server.logs[0]![3] = 'changed';
    changed.server.beginAnew('A restore.');
    expect((await changed.look())!.found).toMatchObject({ misfit: 'forked' });

    const renamed = await seen(10);
    renamed.server.name = 'other';
    expect((await renamed.look())!.found).toMatchObject({ misfit: 'other log' });

    const before = await seen(10);
    before.server.beginAnew('A restore.');
    await before.look();
    before.server.logs.pop();
    expect((await before.look())!.found).toMatchObject({ misfit: 'other log' });

    const plain = await seen(10);
    plain.server.logs.push(recordsOf(12, 'no begin'));
    expect((await plain.look())!.found).toMatchObject({ misfit: 'other log' });
  });
});

describe('what was found', () => {
  it('stays with its first evidence until it is settled, also where all fits again', async () => {
    const browser = await seen(10);
    const honest = browser.server.logs[0]!;
    browser.server.logs[0] = honest.slice(0, 8);
    const found = (await browser.look())!.found!;
    expect(found).toMatchObject({ misfit: 'rolled back', healedAt: null });
    expect(checkpointIn(found.before)).toMatchObject({ size: 10 });
    expect(checkpointIn(found.now)).toMatchObject({ size: 8 });
    browser.server.logs[0] = recordsOf(10, 'other');
    expect((await browser.look())!.found).toEqual(found);
    browser.server.logs[0] = [...honest, ...recordsOf(3, 'more')];
    expect((await browser.look())!.found).toEqual({ ...found, healedAt: browser.at });
    const bar = barOf(browser.watched, { count: String, time: String })!;
    expect(bar).toMatchObject({ tone: 'warn', title: 'The sealed books did not fit for a while.' });
    expect(bar.more.join(' ')).not.toContain('Now they are shorter');
    expect(afterSettling(browser.watched!)).toMatchObject({ found: null, note: browser.server.checkpoint() });
    browser.server.logs[0] = recordsOf(99, 'other');
    expect((await browser.look())!.found).toEqual(found);
    browser.watched = afterSettling(browser.watched!);
    expect(browser.watched).toBeNull();
    expect(await browser.look()).toMatchObject({ found: null, note: browser.server.checkpoint() });
  });

  it('is said with its harmless reason too, where the files of a log that a new one names are lost', async () => {
    const browser = await seen(10);
    browser.server.append(recordsOf(3, 'more'));
    browser.server.beginAnew('The disk with the seals broke.');
    const { get } = browser.server;
    const lost = (path: string) =>
      path.startsWith('/seals/1/') ? Promise.resolve({ status: 404, text: '' }) : get(path);
    const { watched } = await lookAgain(browser.watched!, [], { ...browser.ports, get: lost }, 5);
    expect(watched.found).toMatchObject({ misfit: 'unproved' });
    const { more } = barOf(watched, { count: String, time: String })!;
    expect(more[0]).toMatch(/records were changed.*house lost the files/);
  });

  it('is nothing where what is kept makes no sense', () => {
    for (const text of [null, '', '{}', '[]', '{"note":"x"}', 'null']) expect(readWatched(text)).toBeNull();
  });

  it('begins with nothing that is not signed by the key that comes with it', async () => {
    const server = new ModelLogs(signer);
    server.append(recordsOf(3, 'first'));
    const { get } = server;
    const other = new ModelLogs(otherSigner);
    const mixed = {
      verify: verifyOnNode,
      get: (path: string) => (path.endsWith('/key') ? other.get(path) : get(path)),
    };
    expect(await firstSight(mixed, 1)).toBeNull();
    for (const status of [404, 500]) {
      server.status = status;
      expect(await firstSight({ verify: verifyOnNode, get }, 1)).toBeNull();
    }
  });
});
