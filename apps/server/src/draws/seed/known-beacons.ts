import type { BeaconState } from '@drawhouse/contract/games/game-beacons';
import { roundOfDraw, roundTimeMs } from '@drawhouse/rules/beacon-rounds';
import type { Beacon } from '@drawhouse/rules/beacon-rounds';
import type { Logger } from 'pino';
import type { BeaconAddress } from '../../beacon-settings.ts';
import type { Services } from '../../services.ts';
import { pinnedBeaconTimes } from '../../settings/pinned-settings.ts';
import { BeaconCalls } from './beacon-calls.ts';
import { NoAnswer, readSignature, readTimes } from './beacon-client.ts';
import { storeSignature, waitingDraws } from './beacon-rows.sql.ts';
import type { WaitingDraw } from './beacon-rows.sql.ts';

/** Draws that need the same value: a round of a beacon, at the same place in their terms. */
interface Wanted {
  readonly beacon: Beacon;
  readonly place: number;
  readonly round: number;
  readonly draws: readonly WaitingDraw[];
}

/** The beacons of the settings. */
export interface Beacons {
  /** The beacons with these keys; undefined while the times of one are not known, or BEACONS does not name it. */
  find(publicKeys: readonly string[]): readonly Beacon[] | undefined;
  /** The beacons of the settings, as this server has seen them since it started. */
  list(): BeaconState[];
  /** Asks, in the background, for all values that are due and not asked for yet by this step. */
  fetchDue(tried: Set<string>): Promise<void>;
  /** Whether a round was asked for in vain, or can't be asked for, since this server started. */
  hasFailed(beacon: Beacon, round: number): boolean;
  /** Calls this whenever a value has come. */
  onValue(heard: () => void): void;
  /** Whether a value has come since this was asked last. */
  hasNews(): boolean;
  isIdle(): boolean;
  idle(): Promise<void>;
  /** A sentence for each beacon that does not answer. */
  troubles(): readonly string[];
}

/** Those that are forgotten are asked for again. */
const MOST_FAILED = 10_000;

const keyOf = ({ publicKey }: Beacon, round: number): string => `${publicKey} ${round}`;

/** Connects to the beacons of the settings. */
export function createBeacons(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  addresses: readonly BeaconAddress[],
  logger: Pick<Logger, 'warn'>,
): Beacons {
  const byKey = new Map(addresses.map((address) => [address.publicKey, address]));
  const known = new Map<string, Beacon>();
  const unset = new Set<string>();
  const calls = new BeaconCalls(clock, logger);
  const failed = new Set<string>();
  const lastRounds = new Map<string, number>();
  let isNew = false;
  let heard = (): void => {};

  async function learnTimes(address: BeaconAddress): Promise<void> {
    const shown = await readTimes(address);
    const pinned = await pinnedBeaconTimes(db, shown);
    if (pinned.genesisTime !== shown.genesisTime || pinned.period !== shown.period)
      throw new NoAnswer('its rounds are at other times than when it was first read');
    known.set(address.publicKey, pinned);
    isNew = true;
  }

  async function fetchValue({ beacon, place, round, draws }: Wanted): Promise<void> {
    const name = keyOf(beacon, round);
    try {
      const signature = await readSignature(byKey.get(beacon.publicKey)!, round);
      for (const [networkId, its] of Map.groupBy(draws, ({ network_id }) => network_id))
        await db.transaction((tx) => storeSignature(tx, networkId, { ids: its.map(({ id }) => id), place, signature }));
      failed.delete(name);
      lastRounds.set(beacon.publicKey, Math.max(round, lastRounds.get(beacon.publicKey) ?? 0));
      isNew = true;
      heard();
    } catch (error) {
      if (failed.size >= MOST_FAILED) failed.clear();
      failed.add(name);
      throw error;
    }
  }

  return {
    find(publicKeys) {
      for (const key of publicKeys) if (!byKey.has(key)) unset.add(key);
      const found = publicKeys.flatMap((key) => known.get(key) ?? []);
      return found.length === publicKeys.length ? found : undefined;
    },
    list: () =>
      addresses.map(({ url, publicKey }) => {
        const [beacon, round, trouble] = [
          known.get(publicKey),
          lastRounds.get(publicKey),
          calls.troubles.get(publicKey),
        ];
        return {
          publicKey,
          address: url,
          isReady: beacon !== undefined,
          last: beacon && round ? { round, at: new Date(roundTimeMs(beacon, round)).toISOString() } : null,
          away: trouble ? { since: trouble.since.toISOString(), why: trouble.why } : null,
        };
      }),
    async fetchDue(tried) {
      if (byKey.size === 0) return;
      for (const address of byKey.values())
        if (!known.has(address.publicKey) && !tried.has(address.publicKey)) {
          tried.add(address.publicKey);
          calls.begin(address.publicKey, address.publicKey, () => learnTimes(address));
        }
      const now = clock.now();
      for (const wanted of wantedOf(await waitingDraws(db, now), {
        nowMs: now.getTime(),
        isAsked: (key) => byKey.has(key),
      })) {
        const name = `${keyOf(wanted.beacon, wanted.round)} ${wanted.place}`;
        if (tried.has(name)) continue;
        tried.add(name);
        calls.begin(name, wanted.beacon.publicKey, () => fetchValue(wanted));
      }
    },
    hasFailed: (beacon, round) => !byKey.has(beacon.publicKey) || failed.has(keyOf(beacon, round)),
    onValue(hears) {
      heard = hears;
    },
    hasNews() {
      const was = isNew;
      isNew = false;
      return was;
    },
    isIdle: () => calls.isIdle(),
    idle: () => calls.idle(),
    troubles: () => [
      ...[...calls.troubles].map(([key, { why }]) => `${byKey.get(key)?.url ?? key}: ${why}`),
      ...[...unset].map((key) => `A game uses the beacon ${key.slice(0, 16)}…, which BEACONS does not name.`),
    ],
  };
}

/** The values that are due for some draws, of beacons that can be asked. */
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
    (its) => ({ ...its[0]!, draws: its.map(({ draw }) => draw) }),
  );
}
