import { LRUCache } from 'lru-cache';
import type { PlayerKey, Standing } from './protection.sql.ts';

const MAX_PLAYERS = 50_000;

export interface BetMoment {
  /** In the time zone, e.g. `2026-01-31`. */
  readonly day: string;
  readonly drawId: string;
}

/** Lowest remaining amount over all sum limits on a day. */
export interface Allowance extends BetMoment {
  /** Credit version after its last stake. */
  staked: bigint;
  left: bigint;
  elsewhere: bigint;
}

export interface CachedPlayer {
  readonly networkId: number;
  /** Protection version: number of changes. */
  readonly changes: number;
  readonly standing: Standing;
  /** After the last bet taken here; undefined before the first. */
  room?: Allowance;
}

export interface PlayerCache {
  /** Undefined unless cached for exactly this number of changes, read from the locked wallet. */
  find(player: PlayerKey, changes: number): CachedPlayer | undefined;
  /** Requires the wallet lock during the read. */
  learn(player: PlayerKey, changes: number, standing: Standing): CachedPlayer;
}

export function createPlayerCache(): PlayerCache {
  const players = new LRUCache<string, CachedPlayer>({ max: MAX_PLAYERS });
  return {
    find({ networkId, id }, changes) {
      const cached = players.get(id);
      // A restore renumbers the network and brings other rows.
      return cached?.changes === changes && cached.networkId === networkId ? cached : undefined;
    },
    learn({ networkId, id }, changes, standing) {
      const entry: CachedPlayer = { networkId, changes, standing };
      players.set(id, entry);
      return entry;
    },
  };
}

/**
 * Needs no read if the player has staked nothing since (same credit version, same day): draws that settled or voided
 * meanwhile never increase use.
 */
export function allowanceAt(
  room: Allowance | undefined,
  { day, drawId }: BetMoment,
  staked: bigint,
): Allowance | undefined {
  if (room?.staked !== staked || room.day !== day) return undefined;
  return room.drawId === drawId ? room : { ...room, drawId, left: room.elsewhere };
}

/** `staked`: credit version after the last stake. */
export function useAllowance(known: CachedPlayer, room: Allowance, stakes: bigint, staked: bigint): void {
  room.left -= stakes;
  room.elsewhere -= stakes;
  room.staked = staked;
  known.room = room;
}
