import type { Failure, TestFile } from './test-reports.ts';

/** A file of the short tier may take this long on an idle machine. */
const LIMIT_SECONDS = 15;
const LISTED = 10;

/** How often the machine is timed. */
const EVERY_MS = 3_000;
/** How long the work below takes on a core of the reference machine that does nothing else. */
const IDLE_MS = 30;
/** JSON to parse: it takes processor and memory alike, as tests do. */
const WORK = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, name: `account ${id}`, path: [id, id + 1] })),
);
const ROUNDS = 40;

interface Sample {
  readonly atMs: number;
  readonly tookMs: number;
}

/** Times fixed work during a run, so that a slow or busy machine is not taken for a slow test. */
export class MachinePace {
  readonly #samples: Sample[] = [];
  readonly #timer = setInterval(() => this.#samples.push(timeWork()), EVERY_MS);

  /** Ends the timing, which would keep the process alive. */
  stop(): readonly Sample[] {
    clearInterval(this.#timer);
    return this.#samples;
  }
}

function timeWork(): Sample {
  const startedAt = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) JSON.parse(WORK);
  return { atMs: Date.now(), tookMs: performance.now() - startedAt };
}

/** The files above their limits, each as a failure. */
export function findSlowFiles(files: readonly TestFile[], samples: readonly Sample[]): Failure[] {
  return files.flatMap((file) => {
    const limit = limitDuring(file, samples);
    const seconds = secondsOf(file);
    if (seconds <= limit) return [];
    const grown = limit > LIMIT_SECONDS ? `, ${limit.toFixed(1)} s on a machine as busy as it was` : '';
    return [
      {
        name: file.path,
        message: `The file took ${seconds.toFixed(1)} s. The limit of the short tier is ${LIMIT_SECONDS} s${grown}. Move what is slow to a .long.test.ts or .long.spec.ts file.`,
      },
    ];
  });
}

/** The limit while a file ran: it grows with the time of the fixed work, in that period and one before and after. */
function limitDuring({ startMs, endMs }: TestFile, samples: readonly Sample[]): number {
  const took = samples
    .filter(({ atMs }) => atMs >= startMs - EVERY_MS && atMs <= endMs + EVERY_MS)
    .map(({ tookMs }) => tookMs);
  return LIMIT_SECONDS * Math.max(1, mean(took) / IDLE_MS);
}

/** One line for the machine and one for each of the slowest files. */
export function describeSlowest(files: readonly TestFile[], samples: readonly Sample[]): string {
  const slowest = files.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, LISTED);
  const pace = `The machine took ${mean(samples.map(({ tookMs }) => tookMs)).toFixed(0)} ms for work that takes ${IDLE_MS} ms when it is idle.`;
  return [
    'Slowest files:',
    ...slowest.map((file) => `${secondsOf(file).toFixed(1).padStart(7)} s  ${file.path}`),
    pace,
  ].join('\n');
}

const secondsOf = ({ startMs, endMs }: TestFile): number => (endMs - startMs) / 1000;
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
