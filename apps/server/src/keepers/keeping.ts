import { firstRoundAfter, roundTimeMs } from '@drawhouse/rules/drand-chain';
import type { DrandChain } from '@drawhouse/rules/drand-chain';
import type { KnownRelease } from '@drawhouse/rules/keeper-texts';
import type { KeptBy, NamedKeeper } from '@drawhouse/rules/terms';
import type { Logger } from 'pino';
import { timeOfId } from '../db/uuid7.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import type { KeepingSettings } from '../keeping-settings.ts';
import { pinnedKeeperKey } from '../settings/pinned-settings.ts';
import { askRelease } from './ask-release.ts';
import type { Asked } from './ask-release.ts';
import { findChain, findRound } from './beacon-client.ts';
import { noteAsked, waitingDraws } from './draw-keepers.sql.ts';
import type { KeptOpening, WaitingDraw, WaitingPlace } from './draw-keepers.sql.ts';
import { keeperClient, NoAnswer } from './keeper-client.ts';
import type { KeeperClient } from './keeper-client.ts';
import { findKnown } from './keeper-days.sql.ts';
import { createPlaces } from './places.ts';
import type { Places } from './places.ts';
import { keepAnswers, keepSignatures } from './keep-answers.ts';
import type { WhenVoid } from './keep-answers.ts';

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
  /** The keepers that are known by now, and the chain of rounds. */
  readonly known: () => { readonly keepers: readonly NamedKeeper[]; readonly beacon: DrandChain | null };
  readonly deadlineMs: number;
}

/** After so long without an answer a keeper is asked again, by whichever server. */
const AGAIN_MS = 5_000;
const TIMEOUT_MS = 8_000;
/** In one pass places are claimed so often at most, whoever does not answer. */
const MOST_REFILLS = 3;
const DAY_MS = 86_400_000;

/** One keeper of the settings. */
interface Kept {
  readonly client: KeeperClient;
  readonly pinned: string | undefined;
  named: NamedKeeper | undefined;
  places: Places | undefined;
  /** A release that it must know of; null where none was looked for yet. */
  shown: KnownRelease | undefined | null;
  refilling: boolean;
  /** What stands in the way of what it is asked for. */
  readonly trouble: { places?: string | undefined; release?: string | undefined };
}

const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** Makes it by the settings; without any the server keeps the seeds alone. `whenVoid` hears of draws that are void and of which the last part has come. */
export function createKeeping(
  services: Services,
  options: KeepingOptions | undefined,
  { whenVoid, logger }: { readonly whenVoid: WhenVoid; readonly logger: Pick<Logger, 'warn'> },
): Keeping {
  const { db, clock } = services;
  const timeoutMs = options?.timeoutMs ?? TIMEOUT_MS;
  const keepers = (options?.keepers ?? []).map(({ url, publicKey }): Kept => ({
    client: keeperClient(url, timeoutMs),
    pinned: publicKey,
    named: undefined,
    places: undefined,
    shown: null,
    refilling: false,
    trouble: {},
  }));
  const beacon = options?.beacon;
  const deadlineMs = options?.deadlineMs ?? 60_000;
  const running = new Set<Promise<void>>();
  const asking = new Set<string>();
  /** Draws for which an answer was missing when they were asked for last. */
  const failed = new Set<string>();
  let chain: DrandChain | undefined;
  let beaconTrouble: string | undefined;

  const aside = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => logger.warn({ error }, 'keepers could not be asked; they are asked again'))
      .finally(() => running.delete(done));
    running.add(done);
  };
  const troubled = (kept: Kept, what: 'places' | 'release', trouble: string | undefined): void => {
    if (trouble !== undefined && trouble !== kept.trouble[what])
      logger.warn({ keeper: kept.client.url, what, trouble }, 'a keeper of seeds does not answer as it should');
    kept.trouble[what] = trouble;
  };

  async function placesOf(kept: Kept): Promise<Places> {
    if (kept.places) return kept.places;
    const named = await kept.client.whoAreYou();
    const key = kept.pinned ?? (await pinnedKeeperKey(db, kept.client.url, named.publicKey));
    if (named.publicKey !== key) throw new NoAnswer(`it has the key ${named.publicKey}, and ought to have ${key}`);
    kept.named = named;
    kept.places = createPlaces(db, kept.client, named);
    return kept.places;
  }

  async function findBeacon(): Promise<void> {
    try {
      chain ??= await findChain(beacon!, timeoutMs);
      beaconTrouble = undefined;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      beaconTrouble = error.message;
    }
  }

  async function refillOne(kept: Kept, wanted: number): Promise<void> {
    const now = clock.now();
    try {
      const places = await placesOf(kept);
      await places.refill(utcDay(now), wanted, now);
      troubled(kept, 'places', undefined);
      await places.lookAhead(utcDay(new Date(now.getTime() + DAY_MS)), now);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // What is to come tomorrow may still come.
      if ((kept.places?.ready(utcDay(now)) ?? 0) < wanted) troubled(kept, 'places', error.message);
    } finally {
      kept.refilling = false;
    }
  }

  async function askKeeper(key: string, places: readonly { place: WaitingPlace; draw: WaitingDraw }[]): Promise<Asked> {
    const kept = keepers.find(({ named, pinned }) => (named?.publicKey ?? pinned) === key);
    if (!kept || !options) {
      const why = `no keeper of the key ${key} is set`;
      return { known: undefined, released: [], wrong: [], missing: places.map(({ place }) => ({ place, why })) };
    }
    if (kept.shown === null) kept.shown = await findKnown(db, Buffer.from(key, 'hex'));
    const asked = await askRelease(kept.client, places, { sign: options.sign, known: kept.shown });
    kept.shown = asked.known ?? kept.shown;
    troubled(kept, 'release', asked.missing[0]?.why ?? asked.wrong[0]?.reason);
    return asked;
  }

  /** Asks the keepers of some draws, and keeps what comes. Gives whether anything has. */
  async function askKeepers(draws: readonly WaitingDraw[]): Promise<boolean> {
    const now = clock.now();
    const since = new Date(now.getTime() - AGAIN_MS);
    const byId = new Map(draws.map((draw) => [draw.id, draw]));
    const places: WaitingPlace[] = [];
    for (const [networkId, its] of Map.groupBy(draws, ({ network_id }) => network_id)) {
      const ids = its.map(({ id }) => id);
      places.push(...(await db.transaction((tx: Tx) => noteAsked(tx, networkId, ids, { now, since }))));
    }
    const byKeeper = Map.groupBy(
      places.map((place) => ({ place, draw: byId.get(place.id)! })),
      ({ place }) => place.keeper.toString('hex'),
    );
    const asked = await Promise.all([...byKeeper].map(([key, its]) => askKeeper(key, its)));
    let came = false;
    for (const [nth, key] of [...byKeeper.keys()].entries()) {
      const { released, wrong, missing, known } = asked[nth]!;
      for (const { place } of [...wrong, ...missing]) failed.add(place.id);
      came ||= released.length > 0;
      await keepAnswers(services, { key, released, wrong, known }, whenVoid);
      for (const { place } of wrong)
        logger.warn({ draw: place.id, keeper: place.name }, 'a keeper answered wrongly; its answer is kept');
    }
    return came;
  }

  /** Asks for the rounds that some draws wait for, and keeps what comes. Gives whether anything has. */
  async function askRounds(draws: readonly WaitingDraw[]): Promise<boolean> {
    let came = false;
    for (const [round, its] of Map.groupBy(draws, (draw) => draw.round!)) {
      try {
        if (!beacon) throw new NoAnswer('no drand is set');
        chain ??= await findChain(beacon, timeoutMs);
        const signature = await findRound(beacon.url, chain, round, timeoutMs);
        await keepSignatures(services, its, signature, whenVoid);
        beaconTrouble = undefined;
        came = true;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (error.message !== beaconTrouble) logger.warn({ round, trouble: error.message }, 'drand does not answer');
        beaconTrouble = error.message;
        for (const { id } of its) failed.add(id);
      }
    }
    return came;
  }

  async function askAll(draws: readonly WaitingDraw[]): Promise<boolean> {
    const nowMs = clock.now().getTime();
    const due = draws.filter(({ round }) => round !== null && (!chain || roundTimeMs(chain, Number(round)) <= nowMs));
    for (const { id } of draws) asking.add(id);
    try {
      const came = await Promise.all([askKeepers(draws), askRounds(due)]);
      return came.includes(true);
    } finally {
      for (const { id } of draws) asking.delete(id);
    }
  }

  return {
    isShared: keepers.length > 0 || beacon !== undefined,
    deadlineMs,
    ready: (now) =>
      beacon && !chain ? 0 : Math.min(Infinity, ...keepers.map(({ places }) => places?.ready(utcDay(now)) ?? 0)),
    take(id, closesAt) {
      if (keepers.length === 0 && !beacon) return null;
      if (beacon && !chain) return undefined;
      const day = utcDay(timeOfId(id));
      if (keepers.some(({ places }) => !places?.ready(day))) return undefined;
      const places = keepers.map((kept) => kept.places!.take(day)!);
      return {
        id,
        closes_at: closesAt,
        places,
        round: chain ? firstRoundAfter(chain, closesAt.getTime()) : null,
        kept: { keepers: places.map(({ keeper }) => keeper), beacon: chain ?? null },
      };
    },
    refill(wanted, tries) {
      if (beacon && !chain && tries.refills < MOST_REFILLS) {
        tries.refills++;
        aside(findBeacon());
      }
      for (const kept of keepers) {
        if (kept.refilling || tries.refills >= MOST_REFILLS * (keepers.length + 1)) continue;
        tries.refills++;
        kept.refilling = true;
        aside(refillOne(kept, wanted));
      }
    },
    async waiting(now) {
      const found = new Map((await waitingDraws(db, now)).map((draw) => [draw.id, draw]));
      for (const id of failed) if (!found.has(id)) failed.delete(id);
      return found;
    },
    holds({ id, declared, closed_at, closes_at }, now) {
      if (declared) return false;
      const overdueMs = Math.max(closed_at.getTime(), closes_at.getTime()) + deadlineMs;
      return now.getTime() < overdueMs || asking.has(id) || !failed.has(id);
    },
    ask(waiting, tries, heard) {
      const draws = [...waiting.values()].filter(
        ({ id, declared }) => !declared && !asking.has(id) && !tries.asked.has(id),
      );
      if (draws.length === 0) return;
      for (const { id } of draws) tries.asked.add(id);
      aside(askAll(draws).then((came) => (came ? heard() : undefined)));
    },
    async askNow(draw) {
      await askAll([draw]);
    },
    isIdle: () => running.size === 0,
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    troubles: () => [
      ...keepers.flatMap(({ client, trouble: { places, release } }) =>
        [places, release].flatMap((trouble) => (trouble === undefined ? [] : [`${client.url}: ${trouble}`])),
      ),
      ...(beaconTrouble === undefined ? [] : [`drand: ${beaconTrouble}`]),
    ],
    known: () => ({ keepers: keepers.flatMap(({ named }) => named ?? []), beacon: chain ?? null }),
  };
}
