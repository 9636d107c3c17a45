import type { Logger } from 'pino';
import type { Clock } from '../../platform/time/clock.ts';
import { NoAnswer } from './beacon-client.ts';

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

  /** No-op if a call of this name is running. */
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

  /** Logs each ongoing trouble once. */
  #note(publicKey: string, error: Error): void {
    const { message: why } = error;
    const before = this.troubles.get(publicKey);
    if (before?.why !== why) this.#logger.warn({ beacon: publicKey, error: why }, 'a beacon gives no valid answer');
    // Database errors say nothing about the beacon.
    if (error instanceof NoAnswer) this.troubles.set(publicKey, { since: before?.since ?? this.#clock.now(), why });
  }
}
