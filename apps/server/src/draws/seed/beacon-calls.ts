import type { Logger } from 'pino';
import { NoAnswer } from './beacon-client.ts';

/** Calls of beacons that run in the background, and what went wrong with the last of each beacon. */
export class BeaconCalls {
  readonly #running = new Map<string, Promise<void>>();
  /** By public key: a sentence. */
  readonly troubles = new Map<string, string>();
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(logger: Pick<Logger, 'warn'>) {
    this.#logger = logger;
  }

  /** Begins a call, unless one of this name is running. */
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

  /** A trouble that goes on is logged once. */
  #note(publicKey: string, error: Error): void {
    const { message } = error;
    if (!(error instanceof NoAnswer) || this.troubles.get(publicKey) !== message)
      this.#logger.warn({ beacon: publicKey, error: message }, 'a beacon does not answer as it should');
    if (error instanceof NoAnswer) this.troubles.set(publicKey, message);
  }
}
