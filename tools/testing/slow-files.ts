import type { Failure, TestFile } from './test-reports.ts';

/** Limit on an idle machine, short tier. */
const LIMIT_SECONDS = 15;
const LISTED = 10;

const EVERY_MS = 3_000;
/** Time on the idle reference machine. */
const IDLE_MS = 30;
/** On a busier machine, work on databases slows down more than the reference work. */
const JUDGED_UP_TO_MS = 60;
/** Parsing JSON uses CPU and memory much like tests do. */
const WORK = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, name: `account ${id}`, path: [id, id + 1] })),
);
const ROUNDS = 40;

interface Sample {
  readonly atMs: number;
  readonly tookMs: number;
}

/** Times fixed work during a run, to tell slow tests from a slow machine. */
export class MachinePace {
  readonly #samples: Sample[] = [];
  readonly #timer = setInterval(() => this.#samples.push(timeWork()), EVERY_MS);

  /** Also lets the process exit. */
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

export function findSlowFiles(files: readonly TestFile[], samples: readonly Sample[]): Failure[] {
  // Databases are slow even in a lull of a busy run.
  if (paceOf(samples) > JUDGED_UP_TO_MS) return [];
  return files.flatMap((file) => {
    const limit = limitDuring(file, samples);
    const seconds = secondsOf(file);
    if (seconds <= limit) return [];
    const grown = limit > LIMIT_SECONDS ? `, ${limit.toFixed(1)} s on a machine as busy as it was` : '';
    return [
      {
        name: file.path,
        message:
          `The file took ${seconds.toFixed(1)} s. The limit of the short tier is ${LIMIT_SECONDS} s${grown}. ` +
          'Move slow parts to a .long.test.ts or .long.spec.ts file.',
      },
    ];
  });
}

/** Raises the limit if the reference work ran slowly while the file ran. Infinite on a busy machine. */
function limitDuring({ startMs, endMs }: TestFile, samples: readonly Sample[]): number {
  const tookMs = paceOf(samples.filter(({ atMs }) => atMs >= startMs - EVERY_MS && atMs <= endMs + EVERY_MS));
  return tookMs > JUDGED_UP_TO_MS ? Infinity : LIMIT_SECONDS * Math.max(1, tookMs / IDLE_MS);
}

export function describeSlowest(files: readonly TestFile[], samples: readonly Sample[]): string {
  const slowest = files.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, LISTED);
  const tookMs = paceOf(samples).toFixed(0);
  const pace =
    `The machine took ${tookMs} ms for work that takes ${IDLE_MS} ms when idle. ` +
    `Above ${JUDGED_UP_TO_MS} ms file times are not judged.`;
  return [
    'Slowest files:',
    ...slowest.map((file) => `${secondsOf(file).toFixed(1).padStart(7)} s  ${file.path}`),
    pace,
  ].join('\n');
}

const secondsOf = ({ startMs, endMs }: TestFile): number => (endMs - startMs) / 1000;
const paceOf = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { tookMs }) => sum + tookMs, 0) / Math.max(1, samples.length);
