import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/processes/free-port.ts';
import { orderOf } from '../../../test/backups/backup-order.ts';
import { TestApp, type Network } from '../../../test/harness.ts';
import { holdTable } from '../../../test/statements/hold-table.ts';
import { untilWaiting } from '../../../test/statements/until-waiting.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { takeBackupInChild } from './take-backup-in-child.ts';
import type { BackupOrder } from './take-backup.ts';
import { verifyBackup } from '../keep/verify-backup.ts';

const PATIENT = { timeout: 60_000 };
let t: TestApp;
let net: Network;
let into: string;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network({ credit: 50 });
  await t.bet(net.user, { 3: 4 });
  into = await mkdtemp(path.join(tmpdir(), 'apart-'));
});
afterAll(async () => {
  await rm(into, { recursive: true, force: true });
  await t.close();
});

const order = (change: Partial<BackupOrder> = {}): BackupOrder => orderOf(t, net, into, change);

function processesOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid), '-f', 'backup-process'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

async function whileUnderWay(begin: () => unknown, act: () => unknown, table = 'tickets'): Promise<void> {
  const letGo = await holdTable(t.database.ownerUrl, table);
  try {
    begin();
    await untilWaiting(t, 1, PATIENT.timeout);
    await act();
  } finally {
    await letGo();
  }
}

const UNTIL_THERE = 'until [ -e "$0" ]; do case "$(ps -o stat= -p "$1")" in ""|Z*) exit;; esac; done';

async function makeUnheard(name: string): Promise<void> {
  const folder = path.join(into, name);
  let isDeaf = false;
  const progress = (): void => {
    if (isDeaf) return;
    isDeaf = true;
    const [pid] = processesOf(process.pid);
    if (pid) execFileSync('sh', ['-c', UNTIL_THERE, path.join(folder, 'manifest.json'), String(pid)]);
  };
  await takeBackupInChild(order({ name, progress }));
  expect(await verifyBackup(folder)).toEqual({ problems: [], areRowsCounted: true });
}

describe('a backup in a separate process', () => {
  it('equals one in this process and reports progress', async () => {
    const progressCalls: (readonly [string, number, number])[] = [];
    const manifest = await takeBackupInChild(order({ name: 'whole', progress: (...args) => progressCalls.push(args) }));
    expect(manifest).toMatchObject({
      admin: { id: net.admin._id },
      by: 'somebody',
      takenAt: t.clock.now().toISOString(),
    });
    expect(await verifyBackup(path.join(into, 'whole'))).toEqual({ problems: [], areRowsCounted: true });
    const [step, done, total] = progressCalls.at(-1)!;
    expect(step).toBe('Copying rows');
    expect(done).toBe(total);
  });

  it('is taken when progress arrives only at the end', () => makeUnheard('little'));

  it('yields to everything else', async () => {
    let made: Promise<unknown>;
    await whileUnderWay(
      () => (made = takeBackupInChild(order({ name: 'nice' }))),
      () => {
        const priorities = processesOf(process.pid).map((pid) => getPriority(pid) - getPriority());
        expect(priorities).toEqual([Math.min(5, 19 - getPriority())]);
      },
      'migrations',
    );
    await made!;
    expect(processesOf(process.pid)).toEqual([]);
  });

  it('is taken when much progress arrives only at the end', async () => {
    await t.db.query(
      `insert into activity (network_id, seq, id, at, username, subject, url, method, ip, hash, chain)
       select $1, 1000000 + n, gen_random_uuid(), now(), 'x', repeat(md5(n::text), 20), '', '', '', sha256('x'), '{}'
       from generate_series(1, 50000) n`,
      [net.networkId],
    );
    await makeUnheard('much');
  });

  it('fails like in this process', async () => {
    const unavailable = takeBackupInChild(order({ connectionString: `postgres://x@127.0.0.1:${await freePort()}/x` }));
    await expect(unavailable).rejects.toThrow(DatabaseUnavailable);
    await expect(unavailable).rejects.toThrow(/^The database did not answer: connect ECONNREFUSED/);
    await writeFile(path.join(into, 'file'), '');
    await expect(takeBackupInChild(order({ into: path.join(into, 'file') }))).rejects.toMatchObject({
      code: 'EEXIST',
      syscall: 'mkdir',
    });
    await expect(takeBackupInChild(order({ key: 'mistyped' }))).rejects.toThrow(/recipient/);
    expect(await readdir(into)).not.toContain('a-backup');
  });

  it('leaves nothing when canceled or killed, and ends with its parent', async () => {
    const stop = new AbortController();
    let made: Promise<unknown>;
    const begin = (signal?: AbortSignal): void => {
      made = takeBackupInChild(order({ ...(signal && { signal }) }));
      made.catch(() => {});
    };
    await whileUnderWay(
      () => begin(stop.signal),
      async () => {
        stop.abort(new Error('given up'));
        await expect(made).rejects.toThrow('given up');
      },
    );
    expect(await readdir(into)).not.toContain('a-backup');

    await whileUnderWay(begin, async () => {
      for (const pid of processesOf(process.pid)) process.kill(pid, 'SIGKILL');
      await expect(made).rejects.toThrow('The backup process stopped (SIGKILL).');
    });
    expect(await readdir(into)).not.toContain('a-backup');

    const { signal: _signal, ...data } = order();
    const script = `import { takeBackupInChild } from ${JSON.stringify(new URL('take-backup-in-child.ts', import.meta.url).href)};
    const order = ${JSON.stringify(data)};
    await takeBackupInChild({ ...order, takenAt: new Date(order.takenAt), signal: new AbortController().signal });`;
    let parentProcess: ReturnType<typeof spawn>;
    await whileUnderWay(
      () => (parentProcess = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })),
      async () => {
        expect(await readdir(into)).toContain('a-backup');
        const [pid] = processesOf(parentProcess.pid!);
        expect(isRunning(pid!)).toBe(true);
        const ended = once(parentProcess, 'exit');
        parentProcess.kill('SIGKILL');
        await ended;
        await expect.poll(() => readdir(into), PATIENT).not.toContain('a-backup');
        await expect.poll(() => isRunning(pid!), PATIENT).toBe(false);
      },
    );
  });
});

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return !/^(?:Z.*)?$/.test(stdout.trim());
}
