import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { root } from '../run.ts';
import { LogServer, TestLog } from './test/served-log.ts';
import { readEvidence } from './witness-evidence.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function started(...args: string[]): { child: ChildProcess; ended: Promise<unknown[]>; lines: string[] } {
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
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  return { child, ended, lines };
}

async function served(log: TestLog): Promise<{ server: LogServer; dir: string; args: string[] }> {
  const server = await LogServer.start(log);
  const dir = await mkdtemp(path.join(tmpdir(), 'witness-'));
  cleanUps.push(() => rm(dir, { recursive: true }));
  cleanUps.push(() => server.close());
  return { server, dir, args: ['--of', server.url, '--key', log.vkey, '--dir', dir] };
}

describe('a killed witness', () => {
  it('remembers every published cosignature and never contradicts it', async () => {
    const log = new TestLog().add(10);
    const { server, args } = await served(log);
    for (const more of [1, 3]) {
      const { child, ended } = started(...args);
      for (let nth = 0; nth < more; nth++) {
        log.add(3);
        await expect.poll(() => server.cosigned.at(-1)).toContain(`\n${log.size}\n`);
      }
      // The server has this one when the witness dies, which never hears so.
      const published = new Promise<void>((resolve) => {
        server.instead = (asked) => {
          if (!asked.endsWith('cosign')) return false;
          resolve();
          return true;
        };
      });
      log.add(1);
      await published;
      child.kill('SIGKILL');
      await ended;
      server.instead = () => false;
      const fork = new TestLog()
        .add(log.size - 1)
        .add([Buffer.from('another one')])
        .add(5);
      server.logs = [fork];
      const before = server.cosigned.length;
      expect(await started(...args, '--once').ended).toEqual([3, null]);
      expect(server.cosigned).toHaveLength(before);
      server.logs = [log];
    }
  });

  it('exits with 3 and reports its evidence', async () => {
    const { server, dir, args } = await served(new TestLog().add(10));
    const { child, ended, lines } = started(...args);
    await expect.poll(() => server.cosigned.length).toBe(1);
    server.logs = [new TestLog().add(9)];
    await expect.poll(() => lines.filter((line) => line.includes('ALARM: ')).length).toBeGreaterThan(0);
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'rollback' }]);
    child.kill('SIGTERM');
    expect(await ended).toEqual([3, null]);
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
    const [help, noKey, wrongTime] = await Promise.all([
      ended('--help'),
      ended('--of', 'https://example.org'),
      ended('--of', 'https://example.org', '--key', key, '--every', '0'),
    ]);
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining('Usage: npm run witness') });
    expect(noKey).toMatchObject({ code: 2, output: expect.stringContaining('--key is missing') });
    expect(wrongTime).toMatchObject({
      code: 2,
      output: expect.stringContaining('--every must be a whole number from 1 to 3600'),
    });
  });
});
