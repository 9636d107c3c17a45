import { firstRoundAfter } from '@drawhouse/rules/drand-chain';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import type { KeptBy, NamedKeeper } from '@drawhouse/rules/terms';
import type { Logger } from 'pino';
import { timeOfId } from '../db/uuid7.ts';
import type { Services } from '../services.ts';
import type { KeepingSettings } from '../keeping-settings.ts';
import { askParts } from './ask-parts.ts';
import type { AskMeans } from './ask-parts.ts';
import { waitingDraws } from './draw-keepers.sql.ts';
import type { KeptOpening, WaitingDraw } from './draw-keepers.sql.ts';
import type { WhenVoid } from './keep-answers.ts';
import { createBeacon } from './one-beacon.ts';
import { createKeeper, utcDay } from './one-keeper.ts';

/** What the keeping of seeds is given from outside. */
export interface KeepingOptions extends KeepingSettings {
  /** Signs with the server's seal key: Ed25519, 64 bytes. */
  readonly sign: (text: Uint8Array) => Uint8Array;
  /** So long a call of a keeper or of drand may take, in milliseconds; 8,000 where it is left out. */
  readonly timeoutMs?: number | undefined;
}

/** What one pass over what is due has asked already, so that it comes to an end whoever does not answer. */
export interface AskTries {
  readonly asked: Set<string>;
  refills: number;
}

/** What is waited for, by draw. */
export type WaitingById = ReadonlyMap<string, WaitingDraw>;

/** Who keeps parts of the seeds of draws beside the server, and what goes on with them. */
export interface Keeping {
  /** Whether draws that open now are kept by others too. */
  readonly isShared: boolean;
  /** How many draws can open now; any number where the server alone keeps their seeds. */
  ready(now: Date): number;
  /** What a draw takes that opens under an id; null where the server alone keeps its seed, undefined where nothing is ready for it. */
  take(id: string, closesAt: Date): (KeptOpening & { readonly kept: KeptBy }) | null | undefined;
  /** Sees to it, behind what goes on, that so many draws can open soon. */
  refill(wanted: number, tries: AskTries): void;
  /** What draws wait for whose betting has closed. */
  waiting(now: Date): Promise<WaitingById>;
  /** Whether a closed draw is left alone for now: something of its seed may still come in time. */
  holds(draw: WaitingDraw, now: Date): boolean;
  /** Asks, behind what goes on, for what is waited for; `heard` when something has come. */
  ask(waiting: WaitingById, tries: AskTries, heard: () => void): void;
  /** Asks for one closed draw at once, and waits for what comes of it. */
  askNow(draw: WaitingDraw): Promise<void>;
  isIdle(): boolean;
  idle(): Promise<void>;
  /** Why draws do not open, or keepers do not answer: a sentence for each. */
  troubles(): readonly string[];
  /** The keepers that have signed two roots for one day, with which no draws open: a sentence for each. */
  convictions(): readonly string[];
  /** The keepers that are known by now, and the chain of rounds. */
  readonly known: () => { readonly keepers: readonly NamedKeeper[]; readonly beacon: DrandChain | null };
  readonly deadlineMs: number;
}

const TIMEOUT_MS = 8_000;
/** In one pass places are claimed so often at most, whoever does not answer. */
const MOST_REFILLS = 3;

/** What is under way behind what goes on, and with which draws. */
class Asking {
  readonly #running = new Set<Promise<void>>();
  readonly #draws = new Set<string>();
  /** Draws for which an answer was missing when they were asked for last. */
  readonly #failed = new Set<string>();
  readonly #means: AskMeans;

  constructor(means: AskMeans) {
    this.#means = means;
  }

  aside(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.#means.logger.warn({ error }, 'keepers could not be asked; they are asked again'))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  isAsked(id: string): boolean {
    return this.#draws.has(id);
  }

  /** Whether all were asked who can be, and something did not come. */
  hasFailed(id: string): boolean {
    return this.#failed.has(id) && !this.#draws.has(id);
  }

  /** Forgets what is of no draw that waits. */
  keepOnly(waiting: WaitingById): void {
    for (const id of this.#failed) if (!waiting.has(id)) this.#failed.delete(id);
  }

  /** Asks for some draws. Gives whether anything has come. */
  async ask(draws: readonly WaitingDraw[]): Promise<boolean> {
    for (const { id } of draws) this.#draws.add(id);
    try {
      const { came, missing } = await askParts(this.#means, draws);
      for (const id of missing) this.#failed.add(id);
      return came;
    } finally {
      for (const { id } of draws) this.#draws.delete(id);
    }
  }

  isIdle(): boolean {
    return this.#running.size === 0;
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Makes it by the settings; without any the server keeps the seeds alone. `whenVoid` hears of draws that are void and of which the last part has come. */
export function createKeeping(
  services: Services,
  options: KeepingOptions | undefined,
  { whenVoid, logger }: { readonly whenVoid: WhenVoid; readonly logger: Pick<Logger, 'warn'> },
): Keeping {
  const { db, clock } = services;
  const { timeoutMs = TIMEOUT_MS, deadlineMs = 60_000 } = options ?? {};
  const beacon = createBeacon(options?.beacon, { timeoutMs, logger });
  const keepers = (options?.keepers ?? []).map((address) =>
    createKeeper(address, { db, sign: options!.sign, timeoutMs, logger }),
  );
  const asking = new Asking({ services, keepers, beacon, whenVoid, logger });
  const isShared = keepers.length > 0 || beacon.isSet;
  return {
    isShared,
    deadlineMs,
    ready(now) {
      if (beacon.isSet && !beacon.chain()) return 0;
      return Math.min(Infinity, ...keepers.map((keeper) => keeper.ready(utcDay(now))));
    },
    take(id, closesAt) {
      if (!isShared) return null;
      const [day, chain] = [utcDay(timeOfId(id)), beacon.chain()];
      if ((beacon.isSet && !chain) || keepers.some((keeper) => keeper.ready(day) === 0)) return undefined;
      const places = keepers.map((keeper) => keeper.take(day));
      const round = chain ? firstRoundAfter(chain, closesAt.getTime()) : null;
      const kept = { keepers: places.map(({ keeper }) => keeper), beacon: chain ?? null };
      return { id, closes_at: closesAt, places, round, kept };
    },
    refill(wanted, tries) {
      if (tries.refills++ >= MOST_REFILLS) return;
      if (beacon.isSet && !beacon.chain()) asking.aside(beacon.find());
      for (const keeper of keepers) if (!keeper.isRefilling()) asking.aside(keeper.refill(wanted, clock.now()));
    },
    async waiting(now) {
      const found = new Map((await waitingDraws(db, now)).map((draw) => [draw.id, draw]));
      asking.keepOnly(found);
      return found;
    },
    holds({ id, declared, closed_at, closes_at }, now) {
      const overdueMs = Math.max(closed_at.getTime(), closes_at.getTime()) + deadlineMs;
      return !declared && !(now.getTime() >= overdueMs && asking.hasFailed(id));
    },
    ask(waiting, tries, heard) {
      const draws = [...waiting.values()].filter(
        ({ id, declared }) => !declared && !asking.isAsked(id) && !tries.asked.has(id),
      );
      if (draws.length === 0) return;
      for (const { id } of draws) tries.asked.add(id);
      asking.aside(asking.ask(draws).then((came) => (came ? heard() : undefined)));
    },
    askNow: async (draw) => void (await asking.ask([draw])),
    isIdle: () => asking.isIdle(),
    idle: () => asking.idle(),
    troubles: () => [...keepers.flatMap((keeper) => keeper.troubles()), ...beacon.troubles()],
    convictions: () => keepers.flatMap((keeper) => keeper.conviction() ?? []),
    known: () => ({ keepers: keepers.flatMap((keeper) => keeper.named() ?? []), beacon: beacon.chain() ?? null }),
  };
}
