import type { Logger } from 'pino';

const REPORT_EVERY_MS = 1_000;

const CALLS = 'calls';

interface Sum {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  calls: number;
  totalMs: number;
  msMax: number;
}

/** Sums frequent successful calls: one log line per second, by route and status. */
export interface CallSums {
  add(this: void, method: string, route: string, status: number, ms: number): void;
  report(this: void): void;
}

export function createCallSums(logger: Pick<Logger, 'info'>): CallSums {
  const sums = new Map<string, Sum[]>();
  let timer: NodeJS.Timeout | undefined;

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { totalMs, ...sum } of [...sums.values()].flat())
      logger.info({ ...sum, ms: tenths(totalMs / sum.calls), msMax: tenths(sum.msMax) }, CALLS);
    sums.clear();
  }

  return {
    report: report,
    add(method, route, status, ms) {
      let ofRoute = sums.get(route);
      if (!ofRoute) sums.set(route, (ofRoute = []));
      let sum = ofRoute.find((one) => one.status === status && one.method === method);
      if (!sum) ofRoute.push((sum = { method, route, status, calls: 0, totalMs: 0, msMax: 0 }));
      sum.calls++;
      sum.totalMs += ms;
      sum.msMax = Math.max(sum.msMax, ms);
      timer ??= setTimeout(report, REPORT_EVERY_MS).unref();
    },
  };
}

export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
