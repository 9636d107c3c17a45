import { LRUCache } from 'lru-cache';
import type { PlayerKey, Standing } from './protection.sql.ts';

/** Evicts the least recently used. */
const PLAYERS_KEPT = 50_000;

export interface BetMoment {
  /** In the time zone, e.g. `2026-01-31`. */
  readonly day: string;
  readonly drawId: string;
}

/** Lowest remaining amount over all sum limits on a day, in hundredths. */
export interface Room extends BetMoment {
  /** Credit version after its last stake. */
  staked: bigint;
  left: bigint;
  elsewhere: bigint;
}

export interface KnownPlayer {
  readonly networkId: number;
  /** Protection version: number of changes. */
  readonly changes: number;
  readonly standing: Standing;
  /** After the last bet taken here; undefined before the first. */
  room?: Room;
}

export interface KnownPlayers {
  /** Undefined unless cached for exactly this number of changes, read from the locked wallet. */
  find(player: PlayerKey, changes: number): KnownPlayer | undefined;
  /** Requires the wallet lock during the read. */
  learn(player: PlayerKey, changes: number, standing: Standing): KnownPlayer;
}

export function createKnownPlayers(): KnownPlayers {
  const players = new LRUCache<string, KnownPlayer>({ max: PLAYERS_KEPT });
  return {
    find({ networkId, id }, changes) {
      const known = players.get(id);
      // A restore renumbers the network and brings other rows.
      return known?.changes === changes && known.networkId === networkId ? known : undefined;
    },
    learn({ networkId, id }, changes, standing) {
      const known: KnownPlayer = { networkId, changes, standing };
      players.set(id, known);
      return known;
    },
  };
}

/**
 * Derives the remaining amount without a read, if the player has staked nothing since (same credit version, same day).
 * Draws may have settled or voided meanwhile, which never increases use. Undefined if unknown.
 */
export function roomAt(room: Room | undefined, { day, drawId }: BetMoment, staked: bigint): Room | undefined {
  if (room?.staked !== staked || room.day !== day) return undefined;
  return room.drawId === drawId ? room : { ...room, drawId, left: room.elsewhere };
}

/** Deducts stakes, in hundredths. `staked`: credit version after the last one. */
export function takeRoom(known: KnownPlayer, room: Room, stakes: bigint, staked: bigint): void {
  room.left -= stakes;
  room.elsewhere -= stakes;
  room.staked = staked;
  known.room = room;
}
