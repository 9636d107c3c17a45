import { LRUCache } from 'lru-cache';
import type { PlayerKey, Standing } from './protection.sql.ts';

/** More players than this are not remembered; the one that is longest idle goes first. */
const PLAYERS_KEPT = 50_000;

/** When and on what a player bets. */
export interface BetMoment {
  /** The day of the time zone, as `2026-01-31`. */
  readonly day: string;
  readonly drawId: string;
}

/** What a player can still stake at the least on a day: the lowest of what its limits on sums leave, in hundredths. */
export interface Room extends BetMoment {
  /** The version that its last stake left its credit at. */
  staked: bigint;
  /** On the draw of the moment. */
  left: bigint;
  /** On any other. */
  elsewhere: bigint;
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
  const players = new LRUCache<string, KnownPlayer>({ max: PLAYERS_KEPT });
  return {
    find({ networkId, id }, changes) {
      const known = players.get(id);
      // A restore brings other rows of an account, by another number of its network.
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
 * The room at a moment by the room at an earlier one, without reading, of a player whose last stake left its credit at a version; undefined where nothing is known.
 * As long as its last stake is the same, it has laid nothing since, nowhere. Its draws may have been settled or void meanwhile, which on the same day moves what is
 * open to what is staked, or takes it back, and may have won: neither what is staked nor what is lost becomes more.
 */
export function roomAt(room: Room | undefined, { day, drawId }: BetMoment, staked: bigint): Room | undefined {
  if (room?.staked !== staked || room.day !== day) return undefined;
  return room.drawId === drawId ? room : { ...room, drawId, left: room.elsewhere };
}

/** Takes stakes, in hundredths, of the room of a player: the last of them has left its credit at a version. */
export function takeRoom(known: KnownPlayer, room: Room, stakes: bigint, staked: bigint): void {
  room.left -= stakes;
  room.elsewhere -= stakes;
  room.staked = staked;
  known.room = room;
}
