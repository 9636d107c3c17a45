import type { BeaconState } from '@drawhouse/contract/games/game-beacons';
import { type Beacon, QUICKNET, roundOfDraw, roundTimeMs } from '@drawhouse/rules/fair/beacon-rounds';
import { isRoundSignature } from '@drawhouse/rules/fair/beacon-signature';
import type { Logger } from 'pino';
import type { BeaconAddress, BeaconSettings } from '../../config/outside-services.ts';
import { readUpTo } from '../../platform/http/request/read-up-to.ts';
import type { Services } from '../../platform/services.ts';
import { pinnedBeaconTimes } from '../../platform/settings/pinned-settings.ts';
import type { DrawRow } from '../draws.sql.ts';
import { noteSealedDraws, storeSignature, unsealedDraws, type WaitingDraw, waitingDraws } from './beacon-rows.sql.ts';
import type { Clock } from '../../platform/time/clock.ts';

interface Wanted {
  readonly beacon: Beacon;
  readonly place: number;
  readonly round: number;
  readonly draws: readonly WaitingDraw[];
}

/** Evicted entries are simply requested again. */
const MOST_FAILED = 10_000;

const keyOf = ({ publicKey }: Beacon, round: number): string => `${publicKey} ${round}`;

interface BeaconParts extends Pick<Services, 'db' | 'clock'> {
  readonly logger: Pick<Logger, 'warn'>;
}

export class Beacons {
  readonly #parts: BeaconParts;
  readonly #deadlineMs: number;
  readonly #sealedUpTo: BeaconSettings['sealedUpTo'];
  readonly #byKey: ReadonlyMap<string, BeaconAddress>;
  readonly #known = new Map<string, Beacon>();
  readonly #unset = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #lastRounds = new Map<string, number>();
  readonly #calls: BeaconCalls;
  #isNew = false;
  #onValue = (): void => {};

  constructor({ beacons, deadlineMs, sealedUpTo }: BeaconSettings, parts: BeaconParts) {
    this.#parts = parts;
    this.#deadlineMs = deadlineMs;
    this.#sealedUpTo = sealedUpTo;
    this.#byKey = new Map(beacons.map((address) => [address.publicKey, address]));
    this.#calls = new BeaconCalls(parts.clock, parts.logger);
  }

  /** Undefined if a beacon's times are unknown or BEACONS lacks it. */
  openWith(publicKeys: readonly string[], drawsAt: Date): Pick<DrawRow, 'beacons' | 'awaits_until'> | undefined {
    if (publicKeys.length === 0) return { beacons: null, awaits_until: null };
    for (const key of publicKeys) if (!this.#byKey.has(key)) this.#unset.add(key);
    const found = publicKeys.flatMap((key) => this.#known.get(key) ?? []);
    if (found.length < publicKeys.length) return undefined;
    return { beacons: found, awaits_until: new Date(drawsAt.getTime() + this.#deadlineMs) };
  }

  list(): BeaconState[] {
    return [...this.#byKey.values()].map(({ url, publicKey }) => {
      const [beacon, round] = [this.#known.get(publicKey), this.#lastRounds.get(publicKey)];
      const away = this.#calls.troubles.get(publicKey);
      return {
        publicKey,
        address: url,
        isReady: beacon !== undefined,
        last: beacon && round ? { round, at: new Date(roundTimeMs(beacon, round)).toISOString() } : null,
        away: away ? { since: away.since.toISOString(), why: away.why } : null,
      };
    });
  }

  /** Requests in the background, each value once per step. */
  async fetchDue(tried: Set<string>): Promise<void> {
    if (this.#byKey.size === 0) return;
    const { db, clock } = this.#parts;
    for (const address of this.#byKey.values())
      if (!this.#known.has(address.publicKey) && !tried.has(address.publicKey)) {
        tried.add(address.publicKey);
        this.#calls.begin(address.publicKey, address.publicKey, () => this.#learnTimes(address));
      }
    const now = clock.now();
    const isAsked = (key: string): boolean => this.#byKey.has(key);
    for (const round of wantedOf(await waitingDraws(db, now), { nowMs: now.getTime(), isAsked })) {
      const name = `${keyOf(round.beacon, round.round)} ${round.place}`;
      if (tried.has(name)) continue;
      tried.add(name);
      this.#calls.begin(name, round.beacon.publicKey, () => this.#fetchValue(round));
    }
  }

  /** A draw uses a round's value only if its close was recorded before the round's time. */
  async noteSealed(): Promise<void> {
    const { db, clock } = this.#parts;
    const closed = await unsealedDraws(db);
    if (closed.length === 0) return;
    const upTo = await this.#sealedUpTo?.();
    if (this.#sealedUpTo && upTo === undefined) return;
    const now = clock.now();
    for (const [networkId, draws] of Map.groupBy(closed, ({ network_id }) => network_id))
      if (await db.transaction((tx) => noteSealedDraws(tx, networkId, { ids: draws.map(({ id }) => id), upTo, now })))
        this.#isNew = true;
  }

  hasFailed(beacon: Beacon, round: number): boolean {
    return !this.#byKey.has(beacon.publicKey) || this.#failed.has(keyOf(beacon, round));
  }

  onValue(listener: () => void): void {
    this.#onValue = listener;
  }

  hasNews(): boolean {
    const hadNews = this.#isNew;
    this.#isNew = false;
    return hadNews;
  }

  isIdle(): boolean {
    return this.#calls.isIdle();
  }

  idle(): Promise<void> {
    return this.#calls.idle();
  }

  troubles(): readonly string[] {
    return [
      ...[...this.#calls.troubles].map(([key, { why }]) => `${this.#byKey.get(key)?.url ?? key}: ${why}`),
      ...[...this.#unset].map((key) => `A game uses the beacon ${key.slice(0, 16)}…, which is not in BEACONS.`),
    ];
  }

  async #learnTimes(address: BeaconAddress): Promise<void> {
    const shown = await readTimes(address);
    const pinned = await pinnedBeaconTimes(this.#parts.db, shown);
    if (pinned.genesisTime !== shown.genesisTime || pinned.period !== shown.period)
      throw new NoAnswer('its round times have changed since they were first read');
    this.#known.set(address.publicKey, pinned);
    this.#isNew = true;
  }

  async #fetchValue({ beacon, place, round, draws }: Wanted): Promise<void> {
    const name = keyOf(beacon, round);
    const { db } = this.#parts;
    try {
      const signature = await readSignature(this.#byKey.get(beacon.publicKey)!, round);
      for (const [networkId, its] of Map.groupBy(draws, ({ network_id }) => network_id))
        await db.transaction((tx) => storeSignature(tx, networkId, { ids: its.map(({ id }) => id), place, signature }));
      this.#failed.delete(name);
      this.#lastRounds.set(beacon.publicKey, Math.max(round, this.#lastRounds.get(beacon.publicKey) ?? 0));
      this.#isNew = true;
      this.#onValue();
    } catch (error) {
      if (this.#failed.size >= MOST_FAILED) this.#failed.clear();
      this.#failed.add(name);
      throw error;
    }
  }
}

function wantedOf(
  draws: readonly WaitingDraw[],
  { nowMs, isAsked }: { readonly nowMs: number; readonly isAsked: (publicKey: string) => boolean },
): Wanted[] {
  const each = draws.flatMap((draw) =>
    draw.beacons.flatMap((beacon, place) => {
      const round = roundOfDraw(beacon, draw.closes_at.getTime());
      const isDue = draw.beacon_signatures[place] === null && roundTimeMs(beacon, round) <= nowMs;
      return isDue && isAsked(beacon.publicKey) ? [{ beacon, place, round, draw }] : [];
    }),
  );
  return [...Map.groupBy(each, ({ beacon, place, round }) => `${keyOf(beacon, round)} ${place}`).values()].map(
    (group) => ({ ...group[0]!, draws: group.map(({ draw }) => draw) }),
  );
}

const TIMEOUT_MS = 8_000;
/** A drand answer has a few hundred bytes. */
const MOST_BYTES = 10_000;
const SCHEME = 'bls-unchained-g1-rfc9380';
const MOST_PERIOD = 3_600;

export class NoAnswer extends Error {}

/** Reads `/info`. */
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

/** Verifies the signature. */
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
    const body = await readUpTo(MOST_BYTES, response.body);
    if (!body) throw new NoAnswer(`its answer exceeds ${MOST_BYTES} bytes`);
    if (response.status !== 200) throw new NoAnswer(`it answered ${response.status}`);
    const answer = JSON.parse(body.toString()) as unknown;
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

class BeaconCalls {
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
