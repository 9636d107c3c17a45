import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { base64Of, parseNoteKey } from '@drawhouse/tlog/note-keys';
import { verifySignature } from '@drawhouse/tlog/note-signatures';
import { verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { parseNote, parseSignatureLine } from '@drawhouse/tlog/signed-notes';
import { afterEach, describe, expect, it } from 'vitest';
import { LogServer, TestLog } from './test/served-log.ts';
import { startWitness, type RunningWitness, type WitnessOptions } from './start-witness.ts';
import { readEvidence } from './witness-evidence.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function asked(log = new TestLog().add(300), more: Partial<WitnessOptions> = {}) {
  const printed: string[] = [];
  const dir = await mkdtemp(path.join(tmpdir(), 'witness-'));
  cleanUps.push(() => rm(dir, { recursive: true }));
  const options: WitnessOptions = {
    of: 'http://127.0.0.1:9',
    key: log.vkey,
    dir,
    name: 'witness.example',
    listen: { host: '127.0.0.1', port: 0 },
    report: (sentence) => printed.push(sentence),
    failed: () => {},
    now: () => Date.UTC(2026, 2, 10, 10),
    ...more,
  };
  const start = async (again: Partial<WitnessOptions> = {}): Promise<RunningWitness> => {
    const witness = await startWitness({ ...options, ...again });
    cleanUps.push(() => witness.close());
    return witness;
  };
  return { log, dir, said: printed, start, witness: await start() };
}

function bodyOf(from: number | string, proof: readonly Uint8Array[], note: string): string {
  return `old ${from}\n${proof.map((node) => `${base64Of(node)}\n`).join('')}\n${note}`;
}

async function add(witness: RunningWitness, body: string | Uint8Array, method = 'POST') {
  const answer = await fetch(`${witness.url}/add-checkpoint`, { method, ...(method === 'POST' && { body }) });
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
}

const CONFLICT = (size: number) => ({ status: 409, type: 'text/x.tlog.size', body: `${size}\n` });

describe('add-checkpoint', () => {
  it('returns a verifiable cosignature for the first tree and its extensions', async () => {
    const { log, witness } = await asked();
    const first = await add(witness, bodyOf(0, [], log.note()));
    expect(first).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(first.body).toMatch(/^— witness\.example \S+\n$/);
    log.add(1_000);
    const note = log.note();
    const next = await add(witness, bodyOf(300, await log.proof(300), note));
    const key = parseNoteKey(witness.identity.vkey)!;
    const verified = await verifySignature(
      parseNote(note).text,
      parseSignatureLine(next.body.trimEnd()),
      key,
      verifyOnNode,
    );
    expect(verified?.time).toBe(Date.UTC(2026, 2, 10, 10) / 1000);
    expect(await add(witness, bodyOf(1_300, [], note))).toMatchObject({ status: 200 });
  });

  it('answers 409 with the current size if asked from another', async () => {
    const { log, witness } = await asked();
    expect(await add(witness, bodyOf(200, await log.proof(200), log.note()))).toEqual(CONFLICT(0));
    await add(witness, bodyOf(0, [], log.note()));
    expect(await add(witness, bodyOf(0, [], log.note()))).toEqual(CONFLICT(300));
    log.add(10);
    expect(await add(witness, bodyOf(299, await log.proof(299), log.note()))).toEqual(CONFLICT(300));
  });

  it('answers 409 to another root of the same size and stores both notes', async () => {
    const { log, witness, dir } = await asked();
    await add(witness, bodyOf(0, [], log.note()));
    const other = new TestLog().add(299).add([Buffer.from('another one')]);
    expect(await add(witness, bodyOf(300, [], other.note()))).toEqual(CONFLICT(300));
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'fork', stored: log.note(), shown: other.note() }]);
    const empty = new TestLog();
    const { witness: fresh } = await asked();
    expect(await add(fresh, bodyOf(0, [], empty.note(new Uint8Array(32), 0)))).toEqual(CONFLICT(0));
  });

  it('answers 422 to a wrong or impossible proof', async () => {
    const { log, witness } = await asked();
    expect(await add(witness, bodyOf(0, [new Uint8Array(32)], log.note()))).toMatchObject({ status: 422 });
    await add(witness, bodyOf(0, [], log.note()));
    expect(await add(witness, bodyOf(300, [new Uint8Array(32)], log.note()))).toMatchObject({ status: 422 });
    const other = new TestLog().add(400);
    const fork = new TestLog()
      .add(299)
      .add([Buffer.from('another one')])
      .add(100);
    for (const proof of [[], await other.proof(300), await fork.proof(300)])
      expect(await add(witness, bodyOf(300, proof, fork.note()))).toMatchObject({ status: 422 });
    expect(await add(witness, bodyOf(300, await other.proof(300), other.note()))).toMatchObject({ status: 200 });
  });

  it('asks the server about a larger tree with a wrong proof', async () => {
    const log = new TestLog().add(300);
    const server = await LogServer.start(log);
    cleanUps.push(() => server.close());
    const { witness, dir, said } = await asked(log, { of: server.url });
    const stored = log.note();
    await add(witness, bodyOf(0, [], stored));
    log.add(100);
    const fork = new TestLog()
      .add(299)
      .add([Buffer.from('another one')])
      .add(100);
    expect(await add(witness, bodyOf(300, await fork.proof(300), fork.note()))).toMatchObject({ status: 422 });
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'fork', stored, shown: fork.note() }]);
    expect(witness.evidence.alarms).toBe(1);
    // A wrong proof from a stranger accuses no one.
    expect(await add(witness, bodyOf(300, [], log.note()))).toMatchObject({ status: 422 });
    expect(await readEvidence(dir)).toHaveLength(1);
    expect(said.map((sentence) => sentence.split(':', 1)[0])).toEqual(['FORK']);
  });

  it('reports evidence when the file is full', async () => {
    const { log, witness, dir, said } = await asked();
    await add(witness, bodyOf(0, [], log.note()));
    await writeFile(path.join(dir, 'evidence.jsonl'), '');
    await truncate(path.join(dir, 'evidence.jsonl'), 64 * 1024 * 1024);
    const other = new TestLog().add(299).add([Buffer.from('another one')]);
    await add(witness, bodyOf(300, [], other.note()));
    expect(said).toEqual([expect.stringMatching(/evidence\.jsonl is full: move it elsewhere .*"kind":"fork"/)]);
    expect(said[0]).toContain(JSON.stringify(other.note()));
    expect(witness.evidence.alarms).toBe(1);
  });

  it('answers 404 to another log and 403 to another key, whoever cosigned', async () => {
    const { log, witness } = await asked();
    const note = log.note();
    const elsewhere = note.replaceAll('games.example', 'other.example');
    expect(await add(witness, bodyOf(0, [], elsewhere))).toMatchObject({ status: 404 });
    expect(await add(witness, bodyOf(0, [], new TestLog(1, 2).add(300).note()))).toMatchObject({ status: 403 });
    expect(await add(witness, bodyOf(0, [], note.replace('\n300\n', '\n301\n')))).toMatchObject({ status: 403 });
    const line = note.slice(note.lastIndexOf('— '));
    expect(await add(witness, bodyOf(0, [], note.replace(line, `— some.example AAAAAAAAAAAA\n${line}`)))).toMatchObject(
      { status: 200 },
    );
  });

  it('answers 404 to a new log, with evidence, and to an older one, without', async () => {
    const { log, dir, said, start, witness } = await asked();
    await add(witness, bodyOf(0, [], log.note()));
    const next = new TestLog(2).add(5);
    for (let times = 0; times < 2; times++)
      expect(await add(witness, bodyOf(0, [], next.note()))).toMatchObject({ status: 404 });
    expect(said).toEqual([expect.stringMatching(/^NEW LOG: .*seals\/2\. .*seals\/1 had 300/)]);
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'new-log', stored: log.note(), shown: next.note() }]);
    await witness.close();
    const later = await start({ key: next.vkey });
    expect(await add(later, bodyOf(0, [], next.note()))).toMatchObject({ status: 200 });
    expect(await add(later, bodyOf(0, [], log.note()))).toMatchObject({ status: 404 });
    expect(await readEvidence(dir)).toHaveLength(1);
  });

  it.each<[string, (note: string) => string | Uint8Array]>([
    ['nothing', () => ''],
    ['no old size', (note) => `\n${note}`],
    ['a size with zeros', (note) => bodyOf('00', [], note)],
    ['a size beyond the checkpoint', (note) => bodyOf(301, [], note)],
    ['a size beyond 2^53', (note) => bodyOf('9007199254740993', [], note)],
    ['a negative size', (note) => bodyOf('-1', [], note)],
    [
      '64 lines of proof',
      (note) =>
        bodyOf(
          0,
          Array.from({ length: 64 }, () => new Uint8Array(32)),
          note,
        ),
    ],
    ['a hash that is too short', (note) => bodyOf(0, [new Uint8Array(31)], note)],
    ['no checkpoint', () => 'old 0\n\n'],
    ['a note that is no checkpoint', () => bodyOf(0, [], 'a\n\n— b AAAAAAAA\n')],
    ['bytes', () => Uint8Array.of(0xff, 0xfe)],
  ])('answers 400 to %s', async (_, body) => {
    const { log, witness } = await asked();
    expect(await add(witness, body(log.note()))).toMatchObject({ status: 400 });
    expect(await add(witness, bodyOf(0, [], log.note()))).toMatchObject({ status: 200 });
  });

  it('answers 405 to other methods, 413 to long bodies, 404 elsewhere', async () => {
    const { witness } = await asked();
    expect(await add(witness, '', 'GET')).toMatchObject({ status: 405 });
    expect(await add(witness, 'x'.repeat(70_000))).toMatchObject({ status: 413 });
    expect((await fetch(`${witness.url}//`, { method: 'POST', body: 'old 0\n' })).status).toBe(404);
  });

  it('survives callers that disconnect', async () => {
    const { log, witness } = await asked();
    await new Promise<void>((gone) => {
      const call = request(`${witness.url}/add-checkpoint`, { method: 'POST', headers: { 'content-length': 900 } });
      call.on('error', () => gone());
      call.write('old 0\n');
      call.once('socket', (socket) => socket.once('connect', () => call.destroy(new Error('gone'))));
    });
    expect(await add(witness, bodyOf(0, [], log.note()))).toMatchObject({ status: 200 });
  });

  it('cosigns a single history under concurrent requests', async () => {
    const { log, witness, start, dir } = await asked();
    await add(witness, bodyOf(0, [], log.note()));
    const notes: [string, Uint8Array[]][] = [];
    for (let more = 1; more <= 20; more++) {
      log.add(more);
      notes.push([log.note(), await log.proof(300)]);
    }
    const fork = new TestLog()
      .add(300)
      .add([Buffer.from('another one')])
      .add(30);
    notes.push([fork.note(), await fork.proof(300)]);
    const answers = await Promise.all(notes.map(([note, proof]) => add(witness, bodyOf(300, proof, note))));
    const [taken, ...others] = answers.toSorted((one, other) => one.status - other.status);
    expect(taken!.status).toBe(200);
    const size = Number(/\n(\d+)\n/.exec(notes[answers.indexOf(taken!)]![0])![1]);
    for (const other of others) expect(other).toEqual(CONFLICT(size));
    await witness.close();
    const again = await start();
    expect(await add(again, bodyOf(0, [], log.note()))).toEqual(CONFLICT(size));
    expect(await readEvidence(dir)).toEqual([]);
  });
});
