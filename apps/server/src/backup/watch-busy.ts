import { performance } from 'node:perf_hooks';

/** Sampling interval, and the share of event loop time that counts as busy. */
const LOOK_EVERY_MS = 200;
const BUSY = 0.4;

export interface BusyWatch {
  readonly isBusy: () => boolean;
  readonly stop: () => void;
}

/**
 * Watches event loop load, so background work can yield to bets. Backup work in this process counts too. A separate
 * command never sees bets; there only PostgreSQL's load matters.
 */
export function watchBusy(changed: (isBusy: boolean) => void = () => {}): BusyWatch {
  let [isBusy, last] = [false, performance.eventLoopUtilization()];
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const is = performance.eventLoopUtilization(now, last).utilization > BUSY;
    last = now;
    if (is !== isBusy) changed((isBusy = is));
  }, LOOK_EVERY_MS);
  return { isBusy: () => isBusy, stop: () => clearInterval(timer) };
}

export async function whileWatched<T>(act: (isBusy: () => boolean) => Promise<T>): Promise<T> {
  const { isBusy, stop } = watchBusy();
  try {
    return await act(isBusy);
  } finally {
    stop();
  }
}
