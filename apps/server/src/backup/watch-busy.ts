import { performance } from 'node:perf_hooks';

/** This process is looked at so often, and is busy where so much of the time was spent on what it does. */
const LOOK_EVERY_MS = 200;
const BUSY = 0.4;

/** Whether this process is busy, until it is no longer watched. */
export interface BusyWatch {
  readonly isBusy: () => boolean;
  readonly stop: () => void;
}

/**
 * Watches whether this process is busy, as with bets, for what should leave it to them; `changed` hears whenever that changes. What it does itself for a
 * backup counts too. A command of its own is not busy with bets: of what it does, PostgreSQL's part alone leaves the processors to them.
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

/** Gives `act` what tells whether this process is busy, for as long as it takes. */
export async function whileWatched<T>(act: (isBusy: () => boolean) => Promise<T>): Promise<T> {
  const { isBusy, stop } = watchBusy();
  try {
    return await act(isBusy);
  } finally {
    stop();
  }
}
