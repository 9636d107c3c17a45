import { once } from 'node:events';
import { collectDefaultMetrics, Counter, Gauge } from '@prometheus-io/client';
import type { Registry } from '@prometheus-io/client';
import { figuresOf } from './figures.ts';
import type { Figure, FigureSources, Reading } from './figures.ts';
import type { Measures } from './measures.ts';

/** What is not known by then is left out: whoever asks waits for ten seconds at most, whatever the database does. */
const READ_MS = 3_000;

/** How often the library works out a figure that is left out: it can't be told not to. */
const SELDOM_MS = 3_600_000;

/** Of the library's own figures those that take long with many connections, or of which nobody asks. */
const LEFT_OUT = /^nodejs_(?:active_|heap_space_|eventloop_utilization)/;

/** The figures of one server, in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  /** Reads all of them; several who ask at once are given the same. */
  read(): Promise<string>;
}

/** Makes what reads them: what was counted, and what the sources know at that moment. */
export function createMetrics(measures: Measures, given: FigureSources): Metrics {
  const { registry } = measures;
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: SELDOM_MS });
  for (const { name } of registry.getMetricsAsArray()) if (LEFT_OUT.test(name)) registry.removeSingleMetric(name);
  const { sources, forget } = askedOnce(given);
  const figures = figuresOf(measures, sources).map((figure) => ({ figure, metric: metricOf(figure, registry) }));

  async function readAll(): Promise<string> {
    // Before anything is asked of the database, which would be seen to wait for connections.
    sources.pools();
    const known = await Promise.all(figures.map(async (each) => ({ ...each, readings: await readIn(each.figure) })));
    forget();
    for (const each of known) show(each);
    return registry.metrics();
  }

  let reading: Promise<string> | undefined;
  return {
    contentType: registry.contentType,
    read: () => (reading ??= readAll().finally(() => (reading = undefined))),
  };
}

function metricOf({ name, help, kind, labels = [] }: Figure, registry: Registry): Gauge<string> | Counter<string> {
  const config = { name, help, labelNames: labels, registers: [registry] };
  return kind === 'gauge' ? new Gauge(config) : new Counter(config);
}

/** What a figure is, or what it is where that can't be known now. */
async function readIn({ read, unknown = [] }: Figure): Promise<readonly Reading[]> {
  const tooLate = once(AbortSignal.timeout(READ_MS), 'abort').then(() => unknown);
  return Promise.race([Promise.resolve().then(read), tooLate]).catch(() => unknown);
}

interface ReadFigure {
  readonly figure: Figure;
  readonly metric: Gauge<string> | Counter<string>;
  readonly readings: readonly Reading[];
}

function show({ figure, metric, readings }: ReadFigure): void {
  metric.reset();
  // One without labels is there from the start, and would be 0.
  if (readings.length === 0 && !figure.labels && metric instanceof Gauge) metric.set(NaN);
  for (const [value, labels = {}] of readings)
    if (metric instanceof Gauge) metric.set(labels, value);
    else metric.inc(labels, value);
}

/** The same sources, of which each that takes a while is asked once until it is forgotten. */
function askedOnce(given: FigureSources): { readonly sources: FigureSources; forget(this: void): void } {
  const answers = new Map<string, Promise<unknown>>();
  let pools: ReturnType<FigureSources['pools']> | undefined;
  const onceOf =
    <T>(name: string, ask: () => Promise<T>) =>
    (): Promise<T> => {
      const known = (answers.get(name) as Promise<T> | undefined) ?? ask();
      answers.set(name, known);
      return known;
    };
  return {
    sources: {
      ...given,
      pools: () => (pools ??= given.pools()),
      takesWrites: onceOf('takesWrites', given.takesWrites),
      verdicts: onceOf('verdicts', given.verdicts),
      seals: onceOf('seals', given.seals),
    },
    forget() {
      answers.clear();
      pools = undefined;
    },
  };
}
