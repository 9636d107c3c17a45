import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseNoteKey } from '@drawhouse/tlog/note-keys';
import { verifyNote } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { parseNote } from '@drawhouse/tlog/signed-notes';
import { afterEach, describe, expect, it } from 'vitest';
import { runWitness } from './run-witness.ts';
import { LogServer, send, TestLog } from './test/served-log.ts';
import { startWitness, type RunningWitness, type WitnessOptions } from './start-witness.ts';
import { readEvidence } from './witness-evidence.ts';

const START_MS = Date.UTC(2026, 2, 10, 10);
const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function watched(log = new TestLog().add(300), more: Partial<WitnessOptions> = {}) {
  const server = await LogServer.start(log);
  cleanUps.push(() => server.close());
  const dir = await mkdtemp(path.join(tmpdir(), 'witness-'));
  cleanUps.push(() => rm(dir, { recursive: true }));
  const printed: string[] = [];
  const clock = { ms: START_MS };
  const options: WitnessOptions = {
    of: server.url,
    key: log.vkey,
    dir,
    name: 'witness.example',
    report: (sentence) => printed.push(sentence),
    now: () => clock.ms,
    ...more,
  };
  const start = async (): Promise<RunningWitness> => {
    const witness = await startWitness(options);
    cleanUps.push(() => witness.close());
    return witness;
  };
  return { server, log, dir, said: printed, clock, options, start, witness: await start() };
}

describe('a witness watching a server', () => {
  it('cosigns extensions and sends them', async () => {
    const { server, log, witness, clock } = await watched();
    expect(await witness.look()).toMatchObject({ is: 'cosigned', before: 0, checkpoint: { size: 300 } });
    log.add(1_000);
    clock.ms += 5_000;
    expect(await witness.look()).toMatchObject({ is: 'cosigned', before: 300, checkpoint: { size: 1_300 } });
    const keys = [parseNoteKey(log.vkey)!, parseNoteKey(witness.identity.vkey)!];
    const signatures = await verifyNote(parseNote(server.cosigned[1]!), keys, verifyOnNode);
    expect(signatures.map(({ key, time }) => [key.name, time])).toEqual([
      ['games.example/seals/1', null],
      ['witness.example', START_MS / 1000 + 5],
    ]);
  });

  it('resends an unchanged tree once a minute', async () => {
    const { server, witness, clock } = await watched();
    for (const ms of [0, 5_000, 50_000, 10_000]) {
      clock.ms += ms;
      await witness.look();
    }
    expect(server.cosigned).toHaveLength(2);
  });

  it('remembers history and key after a restart', async () => {
    const { log, witness, start, server } = await watched();
    await witness.look();
    witness.close();
    server.logs = [log.fork().add(5)];
    const again = await start();
    expect(again.identity.vkey).toBe(witness.identity.vkey);
    expect(await again.look()).toMatchObject({ is: 'cosigned', before: 300 });
  });

  it('starts with an empty log', async () => {
    const { log, witness } = await watched(new TestLog());
    expect(await witness.look()).toMatchObject({ is: 'cosigned', checkpoint: { size: 0 } });
    log.add(3);
    expect(await witness.look()).toMatchObject({ is: 'cosigned', before: 0, checkpoint: { size: 3 } });
  });

  it('reports once that the server does not know it, and continues', async () => {
    const { server, log, witness, said } = await watched();
    server.instead = (asked, _request, reply) => {
      if (!asked.endsWith('cosign')) return false;
      send(reply, 403, 'unknown');
      return true;
    };
    for (let looks = 0; looks < 3; looks++) {
      log.add(1);
      expect(await witness.look()).toMatchObject({ is: 'cosigned' });
    }
    expect(said.filter((line) => line.includes('SEAL_WITNESSES'))).toHaveLength(1);
  });
});

describe('a server that lies', () => {
  it('by rolling back is refused, recorded and reported', async () => {
    const { server, log, witness, dir, said } = await watched();
    await witness.look();
    const stored = log.note();
    server.logs = [new TestLog().add(200)];
    expect(await witness.look()).toMatchObject({ is: 'refused' });
    await witness.look();
    expect(await readEvidence(dir)).toMatchObject([
      {
        kind: 'rollback',
        stored,
        shown: server.logs[0]!.note(),
        key: log.vkey,
        proof: null,
        found: '2026-03-10T10:00:00.000Z',
      },
    ]);
    expect(said.filter((line) => line.startsWith('ROLLBACK'))).toHaveLength(1);
    expect(server.cosigned).toHaveLength(1);
    server.logs = [log.add(1)];
    expect(await witness.look()).toMatchObject({ is: 'cosigned', before: 300 });
    expect(witness.evidence.alarms).toBe(1);
  });

  it.each([0, 1, 500])('by forking with %i more records is refused and recorded with both notes', async (more) => {
    const { server, log, witness, dir } = await watched();
    await witness.look();
    const other = new TestLog()
      .add(299)
      .add([Buffer.from('another one')])
      .add(more);
    server.logs = [other];
    expect(await witness.look()).toMatchObject({ is: 'refused' });
    const [found] = await readEvidence(dir);
    expect(found).toMatchObject({ kind: 'fork', stored: log.note(), shown: other.note() });
    expect(found!.proof === null || found!.proof.length > 0 || more === 0).toBe(true);
    expect(server.cosigned).toHaveLength(1);
    // Anyone can verify both signatures.
    for (const note of [found!.stored, found!.shown])
      expect(await verifyNote(parseNote(note), [parseNoteKey(found!.key)!], verifyOnNode)).toHaveLength(1);
  });

  it('is detected after a restart, with earlier evidence', async () => {
    const { server, witness, start, dir } = await watched();
    await witness.look();
    witness.close();
    server.logs = [new TestLog().add(10)];
    const again = await start();
    await again.look();
    again.close();
    // A kill truncated the line.
    const file = path.join(dir, 'evidence.jsonl');
    await writeFile(file, `${await readFile(file, 'utf8')}{"kind":"fo`);
    const third = await start();
    expect(third.evidence.alarms).toBe(1);
    await third.look();
    expect(await readEvidence(dir)).toHaveLength(1);
    server.logs = [new TestLog().add(20)];
    await third.look();
    expect(await readEvidence(dir)).toHaveLength(2);
  });

  it('by using another key or log is refused without evidence against it', async () => {
    const { server, witness, dir } = await watched();
    await witness.look();
    server.logs = [new TestLog(1, 2).add(301)];
    expect(await witness.look()).toMatchObject({
      is: 'refused',
      message: expect.stringContaining('not signed by the key'),
    });
    server.instead = (_asked, _request, reply) => {
      send(reply, 200, 'other.example/seals/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— a AAAAAAAA\n');
      return true;
    };
    expect(await witness.look()).toMatchObject({ is: 'refused', message: expect.stringContaining('other.example') });
    expect(await readEvidence(dir)).toEqual([]);
  });

  it('by starting a new log is refused until a person gives its key, and then by showing the old one', async () => {
    const { server, log, witness, dir, said, options } = await watched();
    await witness.look();
    log.add(50);
    const next = new TestLog(2).add(7);
    server.logs = [log, next];
    for (let looks = 0; looks < 2; looks++) {
      expect(await witness.look()).toMatchObject({ is: 'refused', message: expect.stringMatching(/^NEW LOG: .*300/) });
      next.add(1);
    }
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'new-log', shown: new TestLog(2).add(7).note() }]);
    expect(witness.evidence.alarms).toBe(1);
    expect(said.filter((line) => line.includes('started games.example/seals/2'))).toHaveLength(1);
    witness.close();
    const fresh = await startWitness({ ...options, dir: path.join(dir, 'fresh') });
    cleanUps.push(() => fresh.close());
    expect(await fresh.look()).toEqual({
      is: 'refused',
      message:
        '--key names games.example/seals/1, but the server shows games.example/seals/2. Get the new line, and ask why it was begun.',
    });
    const later = await startWitness({ ...options, key: next.vkey });
    cleanUps.push(() => later.close());
    expect(await later.look()).toMatchObject({ is: 'cosigned', checkpoint: { nth: 2, size: 9 } });
    server.logs = [log];
    expect(await later.look()).toMatchObject({ is: 'refused', message: expect.stringMatching(/^ROLLBACK/) });
    expect((await readEvidence(dir)).at(-1)).toMatchObject({
      kind: 'rollback',
      stored: next.note(),
      shown: log.note(),
    });
  });
});

describe('a broken server', () => {
  it.each<[string, string | Buffer]>([
    ['a torn note', new TestLog().add(400).note().slice(0, 90)],
    ['a page of something else', '<html>Sign in</html>'],
    ['nothing', ''],
    ['bytes', Buffer.alloc(500, 0xff)],
    ['more than it may', Buffer.alloc(200_000, 0x61)],
  ])('with %s counts as trouble, not evidence', async (_, body) => {
    const { server, log, witness, dir } = await watched();
    await witness.look();
    server.instead = (_asked, _request, reply) => {
      send(reply, 200, body);
      return true;
    };
    expect(await witness.look()).toMatchObject({ is: 'trouble' });
    server.instead = () => false;
    log.add(1);
    expect(await witness.look()).toMatchObject({ is: 'cosigned', before: 300 });
    expect(await readEvidence(dir)).toEqual([]);
  });

  it('with dropped connections, errors or missing tiles counts as trouble', async () => {
    const { server, log, witness } = await watched();
    await witness.look();
    log.add(1_000);
    server.instead = (asked, _request, reply) => {
      if (!asked.includes('tile')) return false;
      reply.writeHead(200, { 'content-length': 500 }).write('{"path":');
      reply.destroy();
      return true;
    };
    expect(await witness.look()).toMatchObject({ is: 'trouble' });
    server.instead = (_asked, _request, reply) => {
      send(reply, 500, 'Something went wrong.\u001b[2J');
      return true;
    };
    const look = await witness.look();
    expect(look).toEqual({ is: 'trouble', message: '/seals/checkpoint answered 500: Something went wrong. [2J' });
    await server.close();
    expect(await witness.look()).toMatchObject({ is: 'trouble' });
  });
});

describe('the witness folder', () => {
  it('is locked by one witness, and released when it is killed', async () => {
    const { start, witness } = await watched();
    await expect(start()).rejects.toThrow('Another witness is running on the folder');
    witness.close();
    (await start()).close();
  });

  it('is refused if damaged or of another log or name', async () => {
    const { dir, witness, options } = await watched();
    await witness.look();
    witness.close();
    await expect(startWitness({ ...options, name: 'other.example' })).rejects.toThrow(
      'this witness is witness.example',
    );
    await expect(startWitness({ ...options, key: new TestLog(1, 3).vkey })).rejects.toThrow('is not a checkpoint of');
    const file = path.join(dir, 'logs', '1.json');
    const stored = await readFile(file, 'utf8');
    await writeFile(file, stored.slice(0, 80));
    await expect(startWitness(options)).rejects.toThrow('Put its newest copy back');
    await writeFile(file, stored);
    await writeFile(path.join(dir, 'witness.json'), '{}');
    await expect(startWitness(options)).rejects.toThrow('is damaged');
    expect(await readdir(path.join(dir, 'logs'))).toEqual(['1.json']);
  });

  it('is not created with an invalid key', async () => {
    const { options } = await watched();
    for (const key of [
      '',
      'games.example+1234+x',
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ])
      await expect(startWitness({ ...options, key })).rejects.toThrow('--key must be the line');
  });
});

describe('the witness command', () => {
  it('with --once exits with 0, 1 for trouble, or 3 for evidence', async () => {
    const { server, options, witness } = await watched();
    witness.close();
    const lines: string[] = [];
    const once = () =>
      runWitness(
        { ...options, once: true, everyMs: 1 },
        { print: (line) => lines.push(line), now: options.now, stopped: Promise.resolve() },
      );
    expect(await once()).toBe(0);
    server.instead = (_asked, _request, reply) => {
      send(reply, 503, 'later');
      return true;
    };
    expect(await once()).toBe(1);
    server.instead = () => false;
    server.logs = [new TestLog().add(1)];
    lines.length = 0;
    expect(await once()).toBe(3);
    expect(lines.join('\n')).toContain('ROLLBACK');
    expect(lines.join('\n')).toContain('ALARM');
    server.logs = [new TestLog().add(300)];
    expect(await once()).toBe(3);
  });

  it('runs until stopped and repeats alarms every minute', async () => {
    const { server, options, witness, clock } = await watched();
    witness.close();
    const lines: string[] = [];
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    const ended = runWitness(
      { ...options, once: false, everyMs: 1 },
      { print: (line) => lines.push(line), now: options.now, stopped },
    );
    const has = async (text: string, times: number): Promise<void> => {
      await expect.poll(() => lines.filter((line) => line.includes(text)).length).toBe(times);
    };
    await has('is the first state that this witness saw', 1);
    server.instead = (_asked, _request, reply) => {
      send(reply, 503, 'later');
      return true;
    };
    await has('answered 503', 1);
    clock.ms += 121_000;
    await has('ALARM: nothing could be verified', 1);
    server.instead = () => false;
    await has('Back to normal', 1);
    clock.ms += 61_000;
    server.logs = [new TestLog().add(1)];
    await has("ALARM: the server's log has been refused", 1);
    clock.ms += 61_000;
    await has("ALARM: the server's log has been refused", 2);
    stop();
    expect(await ended).toBe(3);
  });
});
