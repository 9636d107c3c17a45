import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import type { Question, Reading } from './probe.ts';

const PROBE = new URL('probe.ts', import.meta.url).href;
let child: ChildProcess;

function start(timers: number, bytes: number): void {
  const program = `
    for (let count = 0; count < ${timers}; count++) setInterval(() => {}, 60_000);
    globalThis.held = Array.from({ length: ${bytes} / 8 }, (_, index) => index / 3);`;
  child = spawn(process.execPath, ['--import', PROBE, '--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function ask(question: Question): Promise<Reading> {
  const answer = once(child, 'message');
  child.send(question);
  return ((await answer) as [Reading])[0];
}

afterEach(() => child.kill('SIGKILL'));

it('reports what a process holds, also after a full collection', async () => {
  const bytes = 8 * 1024 * 1024;
  start(5, bytes);
  await ask({ collectAfterMs: Number.MAX_SAFE_INTEGER, forget: true });
  const reading = await ask({ collectAfterMs: 0, forget: false });
  expect(reading.handles).toBeGreaterThanOrEqual(5);
  expect(reading.heapRetained).toBeGreaterThan(bytes);
  expect(reading.externalRetained).toBeGreaterThanOrEqual(0);
  expect(reading.memory).toBeGreaterThan(reading.heapRetained!);
  expect(reading.files).toBeGreaterThan(2);
  expect(reading.delayMaxMs).toBeGreaterThanOrEqual(reading.delayP99Ms);
});

it('exits with its parent', async () => {
  start(1, 8);
  await ask({ collectAfterMs: 0, forget: true });
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([null, 'SIGTERM']);
});
