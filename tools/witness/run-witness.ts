import { startWitness, type RunningWitness, type WitnessOptions } from './start-witness.ts';
import type { Observation } from './log-watcher.ts';

export type WitnessWish = Omit<WitnessOptions, 'report' | 'now'> & {
  readonly once: boolean;
  readonly everyMs: number;
};

export type WitnessSurroundings = {
  readonly print: (line: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Resolves to stop the witness. */
  readonly stopped: Promise<void>;
};

/** Raises an alarm after this silence. */
const SILENT_MS = 120_000;
const ALARM_EVERY_MS = 60_000;
const CODES = { fine: 0, trouble: 1, evidence: 3 } as const;

export async function runWitness(wish: WitnessWish, { print, now, stopped }: WitnessSurroundings): Promise<number> {
  const report = (sentence: string): void => print(`${new Date(now()).toISOString()} ${sentence}`);
  const witness = await startWitness({ ...wish, report, now });
  greet(witness, wish, report);
  const teller = new ObservationLog(witness, { report, now });
  try {
    if (wish.once) {
      const observation = await witness.look();
      teller.tell(observation);
      return witness.evidence.alarms > 0 || observation.is === 'refused'
        ? CODES.evidence
        : observation.is === 'trouble'
          ? CODES.trouble
          : CODES.fine;
    }
    await watchUntil(witness, teller, { everyMs: wish.everyMs, stopped });
    return witness.evidence.alarms > 0 ? CODES.evidence : CODES.fine;
  } finally {
    witness.close();
  }
}

function greet(
  { identity, evidence }: RunningWitness,
  { of, dir }: WitnessWish,
  report: (sentence: string) => void,
): void {
  report(`${identity.name} watches ${of} from the folder ${dir}.`);
  report(`Its key, for SEAL_WITNESSES of the server: ${identity.vkey}`);
  if (evidence.alarms > 0) report(`ALARM: there is evidence from before in ${evidence.file}.`);
}

async function watchUntil(
  witness: RunningWitness,
  teller: ObservationLog,
  { everyMs, stopped }: { everyMs: number; stopped: Promise<void> },
): Promise<void> {
  let isStopped = false;
  void stopped.then(() => (isStopped = true));
  while (!isStopped) {
    teller.tell(await witness.look());
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([stopped, new Promise<void>((next) => (timer = setTimeout(next, everyMs)))]);
    clearTimeout(timer);
  }
}

/** Reports changes at once, ongoing problems every minute, and nothing else. */
class ObservationLog {
  readonly #witness: Pick<RunningWitness, 'evidence'>;
  readonly #report: (sentence: string) => void;
  readonly #now: () => number;
  #fineMs: number;
  #alarmMs = Number.NEGATIVE_INFINITY;
  #said = '';

  constructor(
    witness: Pick<RunningWitness, 'evidence'>,
    { report, now }: { report: (sentence: string) => void; now: () => number },
  ) {
    this.#witness = witness;
    this.#report = report;
    this.#now = now;
    this.#fineMs = now();
  }

  tell(observation: Observation): void {
    const nowMs = this.#now();
    if (observation.is === 'cosigned') {
      const { origin, size } = observation.checkpoint;
      if (this.#said !== '') this.#report(`Back to normal: ${origin} with ${size} records.`);
      else if (observation.before === 0 && size > 0)
        this.#report(`${origin} with ${size} records is the first state that this witness saw.`);
      [this.#fineMs, this.#said] = [nowMs, ''];
    } else if (observation.message !== this.#said) {
      this.#said = observation.message;
      if (observation.is === 'trouble') this.#report(observation.message);
      // Refusals alarm immediately.
      else this.#alarmMs = Number.NEGATIVE_INFINITY;
    }
    if (nowMs - this.#alarmMs < ALARM_EVERY_MS) return;
    const alarms = this.#alarms(observation, nowMs);
    for (const alarm of alarms) this.#report(`ALARM: ${alarm}`);
    if (alarms.length > 0) this.#alarmMs = nowMs;
  }

  #alarms(observation: Observation, nowMs: number): string[] {
    const { alarms, file } = this.#witness.evidence;
    const since = new Date(this.#fineMs).toISOString();
    return [
      ...(observation.is === 'refused'
        ? [`the server's log has been refused since ${since}. ${observation.message}`]
        : []),
      ...(observation.is === 'trouble' && nowMs - this.#fineMs >= SILENT_MS
        ? [`nothing could be verified since ${since}. ${observation.message}`]
        : []),
      ...(alarms > 0
        ? [`there is evidence of ${alarms} ${alarms === 1 ? 'violation' : 'violations'} in ${file}.`]
        : []),
    ];
  }
}
