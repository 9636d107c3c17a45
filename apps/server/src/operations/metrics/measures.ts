import { Histogram, Registry } from '@prometheus-io/client';
import type { ErrorCode } from '@drawhouse/contract/core/errors';
import type { DrawObserver } from '../../draws/schedule/draw-workers.ts';
import type { OnAnswered } from '../../platform/http/call-log.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { BetObserver } from '../../tickets/place/lanes/bet-lanes.ts';

/** Histogram bounds, in seconds. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LATE_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const BATCH_BETS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000];

/** Clients must not create metric names. */
const NO_ROUTE = '(none)';

export interface RouteCalls {
  readonly method: string;
  readonly route: string;
  readonly statuses: Map<number, number>;
  observe(this: void, seconds: number): void;
}

export interface Measures {
  readonly registry: Registry;
  readonly answered: OnAnswered;
  readonly bets: BetObserver;
  readonly draws: DrawObserver;
  calls(): Iterable<RouteCalls>;
  betOutcomes(): Iterable<readonly [outcome: ErrorCode | 'taken', count: number]>;
}

export function createMeasures(): Measures {
  const registry = new Registry();
  const registers = [registry];
  const batch = new Histogram({
    name: 'drawhouse_bet_batch_size',
    help: 'Bets judged together in one transaction.',
    buckets: BATCH_BETS,
    registers,
  });
  const lateness = new Histogram({
    name: 'drawhouse_draw_lateness_seconds',
    help: 'Delay from the scheduled time to the close of betting (close), the result (draw), or full payment (settle).',
    labelNames: ['step'],
    buckets: LATE_SECONDS,
    registers,
  });
  const settlement = new Histogram({
    name: 'drawhouse_settlement_duration_seconds',
    help: 'Time to settle a draw with tickets.',
    buckets: LATE_SECONDS,
    registers,
  });
  const refused = new Map<ErrorCode, number>();
  let taken = 0;
  const { answered, calls } = countCalls(registers);
  return {
    registry,
    answered,
    calls,
    bets: {
      answered(outcome) {
        if (outcome instanceof CallError) refused.set(outcome.code, (refused.get(outcome.code) ?? 0) + 1);
        else taken++;
      },
      begun: (bets) => batch.observe(bets),
    },
    draws: {
      onStep: (step, lateMs) => lateness.observe({ step }, Math.max(0, lateMs) / 1_000),
      settled: (tookMs) => settlement.observe(tookMs / 1_000),
    },
    betOutcomes: () => [['taken', taken] as const, ...refused],
  };
}

function countCalls(registers: Registry[]): Pick<Measures, 'answered' | 'calls'> {
  const duration = new Histogram({
    name: 'drawhouse_http_request_duration_seconds',
    help: 'Time to answer calls, by route. SOCKET: calls by live sockets.',
    labelNames: ['method', 'route'],
    buckets: CALL_SECONDS,
    registers,
  });
  const byRoute = new Map<string, Map<string, RouteCalls>>();

  function callsOf(method: string, route: string): RouteCalls {
    const child = duration.labels({ method, route });
    return { method, route, statuses: new Map(), observe: (seconds) => child.observe(seconds) };
  }

  return {
    answered(given, named, status, ms) {
      const [method, route] = named === undefined ? [NO_ROUTE, NO_ROUTE] : [given, named];
      let methods = byRoute.get(route);
      if (!methods) byRoute.set(route, (methods = new Map()));
      let calls = methods.get(method);
      if (!calls) methods.set(method, (calls = callsOf(method, route)));
      calls.statuses.set(status, (calls.statuses.get(status) ?? 0) + 1);
      calls.observe(ms / 1_000);
    },
    calls: () => [...byRoute.values()].flatMap((methods) => [...methods.values()]),
  };
}
