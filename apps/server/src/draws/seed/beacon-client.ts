import { QUICKNET, type Beacon } from '@drawhouse/rules/fair/beacon-rounds';
import { isRoundSignature } from '@drawhouse/rules/fair/beacon-signature';
import type { BeaconAddress } from '../../config/beacon-settings.ts';
import type { Logger } from 'pino';
import type { Clock } from '../../platform/time/clock.ts';

const TIMEOUT_MS = 8_000;
/** A drand answer has a few hundred bytes. */
const MOST_BYTES = 10_000;
const SCHEME = 'bls-unchained-g1-rfc9380';
const MOST_PERIOD = 3_600;

export class NoAnswer extends Error {}

/** Reads `/info`. Throws {@link NoAnswer}. */
export async function readTimes({ url, publicKey }: BeaconAddress): Promise<Beacon> {
  const { public_key, period, genesis_time, schemeID } = await readJson(`${url}/info`);
  if (public_key !== publicKey) throw new NoAnswer('its public key differs from the one in BEACONS');
  if (schemeID !== SCHEME) throw new NoAnswer(`its scheme is ${String(schemeID)}, not ${SCHEME}`);
  if (!isCount(period) || period < 1 || period > MOST_PERIOD || !isCount(genesis_time))
    throw new NoAnswer('its round times are missing');
  const beacon = { publicKey, genesisTime: genesis_time, period };
  const isOther = genesis_time !== QUICKNET.genesisTime || period !== QUICKNET.period;
  if (publicKey === QUICKNET.publicKey && isOther) throw new NoAnswer('its round times differ from drand quicknet');
  return beacon;
}

/** Verifies the signature. Throws {@link NoAnswer}. */
export async function readSignature({ url, publicKey }: BeaconAddress, round: number): Promise<Buffer> {
  const { round: answered, signature } = await readJson(`${url}/public/${round}`);
  if (answered !== round) throw new NoAnswer(`it answered round ${String(answered)} for round ${round}`);
  if (typeof signature !== 'string' || !isRoundSignature(publicKey, round, signature))
    throw new NoAnswer(`its signature of round ${round} is wrong`);
  return Buffer.from(signature, 'hex');
}

async function readJson(url: string): Promise<Record<string, unknown>> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > MOST_BYTES) throw new NoAnswer(`its answer exceeds ${MOST_BYTES} bytes`);
      parts.push(part);
    }
    if (response.status !== 200) throw new NoAnswer(`it answered ${response.status}`);
    const answer = JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown;
    if (typeof answer !== 'object' || answer === null) throw new NoAnswer('its answer is not an object');
    return answer as Record<string, unknown>;
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    const { name, message, cause } = error as Error;
    const why = name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1_000} seconds` : message;
    throw new NoAnswer(cause instanceof Error && cause.message ? `${why}: ${cause.message}` : why, { cause: error });
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

interface Trouble {
  readonly since: Date;
  readonly why: string;
}

export class BeaconCalls {
  readonly #running = new Map<string, Promise<void>>();
  readonly troubles = new Map<string, Trouble>();
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(clock: Clock, logger: Pick<Logger, 'warn'>) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Does nothing while a call of this name runs. */
  begin(name: string, publicKey: string, call: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const done = call()
      .then(() => void this.troubles.delete(publicKey))
      .catch((error: unknown) => this.#note(publicKey, error as Error))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, done);
  }

  isIdle(): boolean {
    return this.#running.size === 0;
  }

  async idle(): Promise<void> {
    while (!this.isIdle()) await Promise.all(this.#running.values());
  }

  #note(publicKey: string, error: Error): void {
    const { message: why } = error;
    const before = this.troubles.get(publicKey);
    if (before?.why !== why) this.#logger.warn({ beacon: publicKey, error: why }, 'a beacon gives no valid answer');
    // Database errors say nothing about the beacon.
    if (error instanceof NoAnswer) this.troubles.set(publicKey, { since: before?.since ?? this.#clock.now(), why });
  }
}
