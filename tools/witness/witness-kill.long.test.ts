import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { base64Of } from '@drawhouse/tlog/note-keys';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../run.ts';
import { LogServer, TestLog } from './test/served-log.ts';
import { readEvidence } from './witness-evidence.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function started(...args: string[]): Promise<{ child: ChildProcess; url: string; lines: string[] }> {
  const child = spawn(process.execPath, ['tools/witness.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  cleanUps.push(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    const url = /answers add-checkpoint at (\S+)/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  void ended.then(() => reject(new Error(`It ended: ${lines.join('\n')}`)));
  return { child, url: await promise, lines };
}

async function add(url: string, from: number, proof: readonly Uint8Array[], note: string): Promise<Response> {
  const body = `old ${from}\n${proof.map((node) => `${base64Of(node)}\n`).join('')}\n${note}`;
  return fetch(`${url}/add-checkpoint`, { method: 'POST', body });
}

describe('a killed witness', () => {
  it('remembers every published cosignature and never contradicts it', async () => {
    const log = new TestLog().add(10);
    const server = await LogServer.start(new TestLog());
    const dir = await mkdtemp(path.join(tmpdir(), 'witness-'));
    cleanUps.push(() => rm(dir, { recursive: true }));
    cleanUps.push(() => server.close());
    const args = ['--of', server.url, '--key', log.vkey, '--dir', dir, '--port', '0', '--every', '3600'];
    let cosigned = 0;
    for (const answers of [1, 7, 30]) {
      const { child, url } = await started(...args);
      // An unanswered request may or may not be stored; an answered one is.
      const asked = await add(url, 0, [], log.note());
      const known = asked.status === 200 ? log.size : Number(await asked.text());
      expect(known).toBeGreaterThanOrEqual(cosigned);
      cosigned = known;
      const fork = new TestLog()
        .add(known - 1)
        .add([Buffer.from('another one')])
        .add(5);
      expect((await add(url, known, await fork.proof(known), fork.note())).status).toBe(422);
      for (let nth = 0; nth < answers; nth++) {
        log.add(3);
        const answer = await add(url, cosigned, await log.proof(cosigned), log.note());
        expect(answer.status).toBe(200);
        cosigned = log.size;
      }
      log.add(1);
      const onItsWay = add(url, cosigned, await log.proof(cosigned), log.note()).catch(() => undefined);
      child.kill('SIGKILL');
      await once(child, 'exit');
      if ((await onItsWay)?.status === 200) cosigned = log.size;
    }
  });

  it('exits with 3 and reports its evidence', async () => {
    const log = new TestLog().add(10);
    const server = await LogServer.start(log);
    const dir = await mkdtemp(path.join(tmpdir(), 'witness-'));
    cleanUps.push(() => rm(dir, { recursive: true }));
    cleanUps.push(() => server.close());
    const { child, lines } = await started(
      '--of',
      server.url,
      '--key',
      log.vkey,
      '--dir',
      dir,
      '--port',
      '0',
      '--every',
      '1',
    );
    await expect.poll(() => server.cosigned.length).toBe(1);
    server.logs = [new TestLog().add(9)];
    await expect.poll(() => lines.filter((line) => line.includes('ALARM: ')).length).toBeGreaterThan(0);
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'rollback' }]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it('explains wrong arguments', async () => {
    const ended = async (...args: string[]): Promise<{ code: unknown; output: string }> => {
      const child = spawn(process.execPath, ['tools/witness.ts', ...args], { cwd: root });
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (printed += part.toString()));
      const [code] = (await once(child, 'close')) as [unknown];
      return { code, output: printed };
    };
    const key = new TestLog().vkey;
    const [help, noKey, wrongPort] = await Promise.all([
      ended('--help'),
      ended('--of', 'https://example.org'),
      ended('--of', 'https://example.org', '--key', key, '--port', '70000'),
    ]);
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining('Usage: npm run witness') });
    expect(noKey).toMatchObject({ code: 2, output: expect.stringContaining('--key is missing') });
    expect(wrongPort).toMatchObject({
      code: 2,
      output: expect.stringContaining('--port must be a whole number from 0 to 65535'),
    });
  });
});
