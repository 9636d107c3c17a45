import { startWitness } from './start-witness.ts';
import type { RunningWitness, WitnessOptions } from './start-witness.ts';
import type { Look } from './log-watcher.ts';

export type WitnessWish = Omit<WitnessOptions, 'say' | 'failed' | 'now'> & {
  readonly once: boolean;
  readonly everyMs: number;
};

export type WitnessSurroundings = {
  readonly tell: (line: string) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Resolves to stop. */
  readonly stopped: Promise<void>;
};

/** Raises an alarm after this silence. */
const SILENT_MS = 120_000;
const ALARM_EVERY_MS = 60_000;
const CODES = { fine: 0, trouble: 1, evidence: 3 } as const;

/** Returns the exit code. */
export async function runWitness(wish: WitnessWish, { tell, now, stopped }: WitnessSurroundings): Promise<number> {
  const say = (sentence: string): void => tell(`${new Date(now()).toISOString()} ${sentence}`);
  const failed = (error: Error): void => say(`The witness can’t answer: ${error.message}`);
  const witness = await startWitness({ ...wish, say, failed, now });
  greet(witness, wish, say);
  const teller = new LookTeller(witness, { say, now });
  try {
    if (wish.once) {
      const look = await witness.look();
      teller.tell(look);
      return witness.evidence.alarms > 0 || look.is === 'refused'
        ? CODES.evidence
        : look.is === 'trouble'
          ? CODES.trouble
          : CODES.fine;
    }
    await lookUntil(witness, teller, { everyMs: wish.everyMs, stopped });
    return witness.evidence.alarms > 0 ? CODES.evidence : CODES.fine;
  } finally {
    await witness.close();
  }
}

function greet(
  { identity, url, evidence }: RunningWitness,
  { of, dir }: WitnessWish,
  say: (sentence: string) => void,
): void {
  say(`${identity.name} watches ${of} from the folder ${dir}.`);
  say(`Its key, for SEAL_WITNESSES of the server: ${identity.vkey}`);
  if (url !== undefined) say(`It answers add-checkpoint at ${url}`);
  if (evidence.alarms > 0) say(`ALARM: there is evidence from before in ${evidence.file}.`);
  for (const { found, says } of evidence.unsettled) say(`ALARM: noticed ${found}, not accepted yet. ${says}`);
}

async function lookUntil(
  witness: RunningWitness,
  teller: LookTeller,
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

/** Reports changes immediately, ongoing problems every minute, and nothing else. */
class LookTeller {
  readonly #witness: Pick<RunningWitness, 'evidence'>;
  readonly #say: (sentence: string) => void;
  readonly #now: () => number;
  #fineMs: number;
  #alarmMs = Number.NEGATIVE_INFINITY;
  #said = '';

  constructor(
    witness: Pick<RunningWitness, 'evidence'>,
    { say, now }: { say: (sentence: string) => void; now: () => number },
  ) {
    this.#witness = witness;
    this.#say = say;
    this.#now = now;
    this.#fineMs = now();
  }

  tell(look: Look): void {
    const nowMs = this.#now();
    if (look.is === 'cosigned') {
      const { origin, size } = look.checkpoint;
      if (this.#said !== '') this.#say(`Back to normal: ${origin} with ${size} records.`);
      else if (look.before === 0 && size > 0)
        this.#say(`${origin} with ${size} records is the first state that this witness saw.`);
      [this.#fineMs, this.#said] = [nowMs, ''];
    } else if (look.says !== this.#said) {
      this.#said = look.says;
      if (look.is === 'trouble') this.#say(look.says);
      // Refusals alarm immediately.
      else this.#alarmMs = Number.NEGATIVE_INFINITY;
    }
    if (nowMs - this.#alarmMs < ALARM_EVERY_MS) return;
    const alarms = this.#alarms(look, nowMs);
    for (const alarm of alarms) this.#say(`ALARM: ${alarm}`);
    if (alarms.length > 0) this.#alarmMs = nowMs;
  }

  #alarms(look: Look, nowMs: number): string[] {
    const { alarms, file } = this.#witness.evidence;
    const since = new Date(this.#fineMs).toISOString();
    return [
      ...(look.is === 'refused' ? [`the server's log has been refused since ${since}. ${look.says}`] : []),
      ...(look.is === 'trouble' && nowMs - this.#fineMs >= SILENT_MS
        ? [`nothing could be verified since ${since}. ${look.says}`]
        : []),
      ...(alarms > 0
        ? [`there is evidence of ${alarms} ${alarms === 1 ? 'violation' : 'violations'} in ${file}.`]
        : []),
    ];
  }
}
