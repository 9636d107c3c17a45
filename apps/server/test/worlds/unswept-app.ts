import { vi } from 'vitest';
import { SWEEP_EVERY_MS } from '../../src/live/sockets/open-sockets.ts';
import { TestApp } from '../harness.ts';

/** Its sweep, which cuts sockets of ended sessions, runs only when called. */
export async function startUnswept(): Promise<{ t: TestApp; sweep: () => void }> {
  let sweep!: () => void;
  const every = globalThis.setInterval;
  const spy = vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) => {
    if (ms !== SWEEP_EVERY_MS) return every(run, ms);
    sweep = run;
    return every(() => {}, ms);
  }) as typeof setInterval);
  const t = await TestApp.start();
  spy.mockRestore();
  return { t, sweep };
}
