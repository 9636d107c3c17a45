/** Preloaded by `node --import`, so the product needs no such hook. */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Question {
  /** If V8 has collected nothing for this long. */
  readonly collectAfterMs: number;
  /** Resets the event-loop histogram. */
  readonly forget: boolean;
}

/** Memory in bytes. */
export interface Reading {
  readonly memory: number;
  readonly heap: number;
  /** Lowest value after a full collection; undefined without one. */
  readonly heapRetained: number | undefined;
  readonly externalRetained: number | undefined;
  /** Resources of the event loop, sockets included. */
  readonly handles: number;
  readonly sockets: number;
  /** Undefined if the system does not tell. */
  readonly files: number | undefined;
  /** Delay since the last reading, and since `forget`. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly totalDelayP99Ms: number;
}

const RESOLUTION_MS = 10;
const NANOSECONDS_PER_MS = 1e6;
const lately = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const whole = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
let collections = new GCProfiler();
let collectedAt = performance.now();

function answer({ collectAfterMs, forget }: Question): void {
  if (performance.now() - collectedAt > collectAfterMs) collect();
  const full = collections.stop().statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact');
  collections = new GCProfiler();
  collections.start();
  if (full.length > 0) collectedAt = performance.now();
  const lowest = (values: readonly number[]): number | undefined =>
    values.length > 0 ? Math.min(...values) : undefined;

  const { rss, heapUsed } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const reading: Reading = {
    memory: rss,
    heap: heapUsed,
    heapRetained: lowest(full.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize)),
    externalRetained: lowest(full.map(({ afterGC }) => afterGC.heapStatistics.externalMemory)),
    handles: resources.length,
    sockets: resources.filter((name) => name === 'TCPSocketWrap').length,
    files: openFiles(),
    delayP99Ms: lateMs(lately.percentile(99)),
    delayMaxMs: lateMs(lately.max),
    totalDelayP99Ms: lateMs(whole.percentile(99)),
  };
  lately.reset();
  if (forget) whole.reset();
  process.send?.(reading);
}

/** The histogram records timer intervals; an idle loop shows its resolution. */
function lateMs(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS);
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/dev/fd').length;
  } catch {
    return undefined;
  }
}

collections.start();
lately.enable();
whole.enable();
process.on('message', answer);
// The server ends with the soak.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
