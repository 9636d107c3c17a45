import type { listBeacons, GameBeacons } from '@drawhouse/contract/games/game-beacons';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { cellName } from './rowForm.ts';
import type { CellTexts, EditedRow } from './rowForm.ts';

/** The field of the beacon at a place in {@link beaconKeys}. */
export type BeaconField = `beacon${number}`;

/** A game with, for each beacon, 1 if its draws use it. */
export type BeaconRow = EditedRow<BeaconField> & { readonly gameName: string };

/** The public keys of the beacons that have a column: those of the server, then those that games use and the server no longer has. */
export function beaconKeys({ beacons, data }: Pick<RouteAnswer<typeof listBeacons>, 'beacons' | 'data'>): string[] {
  return [...new Set([...beacons.map(({ publicKey }) => publicKey), ...data.flatMap((game) => game.beacons)])];
}

/** The row of a game. */
export function beaconRow({ id, gameName, beacons }: GameBeacons, keys: readonly string[]): BeaconRow {
  const fields = keys.map((key, place) => [`beacon${place}`, beacons.includes(key) ? 1 : null]);
  return { id, gameName, ...(Object.fromEntries(fields) as Record<BeaconField, number | null>) };
}

/** The beacons that changed rows are to use, in the order of the server's. */
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
