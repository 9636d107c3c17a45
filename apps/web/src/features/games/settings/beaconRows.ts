import type { listBeacons, GameBeacons } from '@drawhouse/contract/games/game-beacons';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { cellName, type CellTexts, type EditedRow } from './rowForm.ts';

/** Numbered by index in {@link beaconKeys}. */
export type BeaconField = `beacon${number}`;

/** 1 for each beacon in use. */
export type BeaconRow = EditedRow<BeaconField> & { readonly gameName: string };

/** Lists the server's beacons, then those in use that it no longer has. */
export function beaconKeys({ beacons, data }: Pick<RouteAnswer<typeof listBeacons>, 'beacons' | 'data'>): string[] {
  return [...new Set([...beacons.map(({ publicKey }) => publicKey), ...data.flatMap((game) => game.beacons)])];
}

export function beaconRow({ id, gameName, beacons }: GameBeacons, keys: readonly string[]): BeaconRow {
  const fields = keys.map((key, place) => [`beacon${place}`, beacons.includes(key) ? 1 : null]);
  return { id, gameName, ...(Object.fromEntries(fields) as Record<BeaconField, number | null>) };
}

export function beaconUpdates(
  changed: readonly BeaconRow[],
  typed: CellTexts,
  keys: readonly string[],
): { id: string; beacons: string[] }[] {
  return changed.map(({ id }) => ({
    id,
    beacons: keys.filter((_, place) => typed[cellName(id, `beacon${place}`)] === '1'),
  }));
}
