import { LRUCache } from 'lru-cache';
import type { PlayerKey, Standing } from './protection.sql.ts';

/** More players than this are not remembered; the one that is longest idle goes first. */
const PLAYERS_KEPT = 50_000;

/** When and on what a player bets, whose wallet is locked. */
export interface BetMoment {
  /** The day of the time zone, as `2026-01-31`. */
  readonly day: string;
  readonly drawId: string;
  /** The version that its last stake left its credit at. */
  readonly staked: bigint;
}

/** What a player can still stake at the least, at a moment: the lowest of what its limits on sums leave, in hundredths. */
export interface Room extends BetMoment {
  /** On the draw of the moment. */
  readonly left: bigint;
  /** On any other. */
  readonly elsewhere: bigint;
}

/** What a server knows of a player who is protected. */
export interface KnownPlayer {
  readonly networkId: number;
  /** How many changes its standing follows from. */
  readonly changes: number;
  readonly standing: Standing;
  /** As the last bet that this server took has left it; undefined before the first one. */
  room?: Room;
}

/** What a server knows of players who are protected, by their bets that it took itself. */
export interface KnownPlayers {
  /** A player by what follows from so many changes of its protection, as its locked wallet tells them; undefined where that is not known. */
  find(player: PlayerKey, changes: number): KnownPlayer | undefined;
  /** Keeps what follows from so many changes, read while its wallet was locked. */
  learn(player: PlayerKey, changes: number, standing: Standing): KnownPlayer;
}

/** Makes it, of nobody. */
export function createKnownPlayers(): KnownPlayers {
  const known = new LRUCache<string, KnownPlayer>({ max: PLAYERS_KEPT });
  return {
    find({ networkId, id }, changes) {
      const player = known.get(id);
      // A restore brings other rows of an account, by another number of its network.
      return player?.changes === changes && player.networkId === networkId ? player : undefined;
    },
    learn({ networkId, id }, changes, standing) {
      const player = { networkId, changes, standing };
      known.set(id, player);
      return player;
    },
  };
}

/**
 * The room at a moment by the room at an earlier one, without reading; undefined where nothing is known. As long as the last stake of a player is the same, it has
 * laid nothing since, nowhere. Its draws may have been settled or void meanwhile, which on the same day moves what is open to what is staked, or takes it back, and
 * may have won: neither what is staked nor what is lost becomes more.
 */
export function roomAt(room: Room | undefined, { day, drawId, staked }: BetMoment): Room | undefined {
  if (room?.staked !== staked || room.day !== day) return undefined;
  return room.drawId === drawId ? room : { ...room, drawId, left: room.elsewhere };
}

/** What is left of a room after stakes, in hundredths, the last of which has left the credit at a version. */
export function roomAfter({ day, drawId, left, elsewhere }: Room, stakes: bigint, staked: bigint): Room {
  return { day, drawId, staked, left: left - stakes, elsewhere: elsewhere - stakes };
}
