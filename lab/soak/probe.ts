/**
 * Loaded into the process of the server by `node --import`, before it: answers each message of the soak by a reading. So the
 * product itself has no door to look through.
 */
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the soak asks for. */
export interface Question {
  /** Make a full collection where V8 has made none for so long. */
  readonly collectAfterMs: number;
  /** Forget the event loop's delays until now. */
  readonly forget: boolean;
}

/** What a server's process holds at a moment. Memory in bytes. */
export interface Reading {
  readonly memory: number;
  readonly heap: number;
  /** Heap and memory outside of it just after full collections since the last reading, the lowest; none without a collection. */
  readonly heapRetained: number | undefined;
  readonly externalRetained: number | undefined;
  /** Timers, sockets, requests and whatever else keeps an event loop going; sockets are also counted for themselves. */
  readonly handles: number;
  readonly sockets: number;
  /** Open files of the process, sockets included; not where the system does not tell. */
  readonly files: number | undefined;
  /** How much later than due the event loop ran its timers: since the last reading, and since the last `forget`. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly wholeDelayP99Ms: number;
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
    wholeDelayP99Ms: lateMs(whole.percentile(99)),
  };
  lately.reset();
  if (forget) whole.reset();
  process.send?.(reading);
}

/** The histogram has the time from one timer to the next, which is the resolution where nothing is late. */
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
// Whoever asks no more has ended, and the server goes with it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
