import { performance } from 'node:perf_hooks';

/** `BUSY` is a share of event loop time. */
const POLL_EVERY_MS = 200;
const BUSY = 0.4;

export interface BusyWatch {
  readonly isBusy: () => boolean;
  readonly stop: () => void;
}

/**
 * Lets background work yield to bets. Backup work in this process counts too. In commands, which serve no bets, only
 * PostgreSQL yields.
 */
export function watchBusy(changed: (isBusy: boolean) => void = () => {}): BusyWatch {
  let [isBusy, last] = [false, performance.eventLoopUtilization()];
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isBusyNow = performance.eventLoopUtilization(now, last).utilization > BUSY;
    last = now;
    if (isBusyNow !== isBusy) changed((isBusy = isBusyNow));
  }, POLL_EVERY_MS);
  return { isBusy: () => isBusy, stop: () => clearInterval(timer) };
}

export async function withBusyWatch<T>(act: (isBusy: () => boolean) => Promise<T>): Promise<T> {
  const { isBusy, stop } = watchBusy();
  try {
    return await act(isBusy);
  } finally {
    stop();
  }
}
