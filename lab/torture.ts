/**
 * `npm run lab -- torture -- --rounds 100 --parts crash,servers --seed 7` (lab/README.md). `--shim` forces the shim for
 * the full disk.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { cellKills } from './torture/cell-kills.ts';
import { crashRounds, twoServers, type Verdict } from './torture/crash.ts';
import { fullDisk, mayMount } from './torture/full-disk.ts';
import { killBetweenSettlementSteps } from './torture/kill-between-settlement-steps.ts';
import { slowDisk } from './torture/slow-disk.ts';

const SIZE = { networks: 2, playersEach: 12, atOnce: 3 };
const CHECK_EVERY = 10;
const FLOOD_SECONDS = 20;
const DISK_TIMES = 3;
const MINUTE_MS = 60_000;

interface Settings {
  readonly rounds: number;
  readonly seed: number;
  /** Even if mounting is possible. */
  readonly shim: boolean;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

interface Part {
  readonly label: string;
  readonly minutes: (settings: Settings) => number;
  readonly run: (settings: Settings) => Promise<Verdict>;
}

/** A round takes seconds; recovery on a busy machine takes longer. */
const minutesOfRounds = ({ rounds }: Settings): number => 3 + rounds / 3;

const PARTS: Readonly<Record<string, Part>> = {
  crash: {
    label: 'kill -9 of PostgreSQL and the server at random moments under load',
    minutes: minutesOfRounds,
    run: (settings) => crashRounds({ ...settings, size: SIZE, checkEvery: CHECK_EVERY }),
  },
  servers: {
    label: 'two servers on one database, killed in turn',
    minutes: minutesOfRounds,
    run: (settings) => twoServers({ ...settings, size: SIZE, checkEvery: CHECK_EVERY }),
  },
  cells: {
    label: 'a network that moves between two cells under bets, while either of them or the command is killed or hangs',
    minutes: ({ rounds }) => 3 + 2 * rounds,
    run: cellKills,
  },
  steps: {
    label: 'kill -9 between each two steps from the close of a draw to its settlement',
    minutes: minutesOfRounds,
    run: (settings) => killBetweenSettlementSteps({ ...settings, size: SIZE, checkEvery: CHECK_EVERY }),
  },
  slow: {
    label: 'a disk whose fsync takes 5 ms, and more bets than can be taken on it',
    minutes: () => 5,
    run: (settings) => slowDisk({ ...settings, seconds: FLOOD_SECONDS }),
  },
  full: {
    label: 'a disk that is full, and has room again',
    minutes: () => 10,
    run: async (settings) =>
      fullDisk({ ...settings, times: DISK_TIMES, isMounted: !settings.shim && (await mayMount()) }),
  },
};

async function runPart(name: string, part: Part, settings: Settings): Promise<boolean> {
  const startedAt = performance.now();
  console.log(`\n── ${name}: ${part.label} ──`);
  const minutes = part.minutes(settings);
  const time = AbortSignal.timeout(Math.ceil(minutes * MINUTE_MS));
  const say = (line: string): void => console.log(`  ${line}`);
  let problems: readonly string[];
  try {
    const verdict = await part.run({ ...settings, say, signal: AbortSignal.any([settings.signal, time]) });
    console.log(`  ${verdict.summary}`);
    problems = time.aborted
      ? [...verdict.problems, `Not finished within ${minutes.toFixed(0)} minutes.`]
      : verdict.problems;
  } catch (error) {
    problems = [(error as Error).message];
  }
  for (const problem of problems) console.log(`  - ${problem}`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${problems.length === 0 ? 'PASS' : 'FAIL'}  ${name} in ${seconds} s`);
  return problems.length === 0;
}

async function main(): Promise<void> {
  const names = Object.keys(PARTS);
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      parts: { type: 'string', default: names.join(',') },
      seed: { type: 'string', default: String(randomInt(1, 2 ** 31)) },
      shim: { type: 'boolean', default: false },
    },
  });
  const whole = (option: 'rounds' | 'seed', most: number): number => {
    const number = Number(values[option]);
    if (!Number.isInteger(number) || number < 1 || number > most)
      throw new Error(`--${option} is a whole number from 1 to ${most}.`);
    return number;
  };
  const chosen = values.parts.split(',');
  const unknown = chosen.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`--parts has no ${unknown}: it is some of ${names.join(', ')}.`);
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort());
  const settings: Settings = {
    rounds: whole('rounds', 10_000),
    seed: whole('seed', 2 ** 31),
    shim: values.shim,
    say: () => {},
    signal: stopping.signal,
  };
  console.log(`--seed ${settings.seed} repeats the random choices of this run, but not the load of the machine.`);
  const failed: string[] = [];
  for (const name of chosen) {
    if (stopping.signal.aborted) break;
    if (!(await runPart(name, PARTS[name]!, settings))) failed.push(name);
  }
  if (stopping.signal.aborted) process.exitCode = 130;
  else if (failed.length > 0) process.exitCode = 1;
  console.log(
    failed.length === 0 ? '\nNothing was lost.' : `\nFailed: ${failed.join(', ')}. --seed ${settings.seed} repeats it.`,
  );
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
