import { LRUCache } from 'lru-cache';
import type { PlayerKey } from './protection.sql.ts';
import type { Usage } from './usage.ts';

/** When and on what a player bets, whose wallet is locked. */
export interface UsageMoment {
  /** The day of the time zone, as `2026-01-31`. */
  readonly day: string;
  readonly drawId: string;
  /** The version of its credit wallet. */
  readonly version: bigint;
}

interface Known extends UsageMoment {
  readonly usage: Usage;
}

/** More players than this are not remembered; the one that is longest idle goes first. */
const PLAYERS_KEPT = 20_000;

/** What a server knows of what limited players have used, by the bets that it took itself. */
export interface KnownUsage {
  /**
   * The most that a player can have used of its limits, without reading; undefined where nothing is known. Each ticket, win and refund moves the player's credit: as
   * long as that is at the version that its last bet here left, it has laid none since, nowhere. Its draws may have been settled meanwhile, which on the same day
   * moves what is open to what is staked, or takes it back: neither what is staked nor what is lost becomes more.
   */
  atMost(player: PlayerKey, moment: UsageMoment): Usage | undefined;
  /** Keeps what a player has used, with what it has just staked, in hundredths, after the commit that left its wallet at this version. */
  keep(player: PlayerKey, moment: UsageMoment, usage: Usage, staked: bigint): void;
}

/** Makes it, of nobody. */
export function createKnownUsage(): KnownUsage {
  const known = new LRUCache<string, Known>({ max: PLAYERS_KEPT });
  return {
    atMost(player, { day, drawId, version }) {
      const last = known.get(nameOf(player));
      if (last?.version !== version || last.day !== day) return undefined;
      // What is open on another draw was not asked about: at the most it is all of it.
      return last.drawId === drawId ? last.usage : { ...last.usage, onDraw: last.usage.open };
    },
    keep(player, moment, usage, staked) {
      const after = { ...usage, open: usage.open + staked, onDraw: usage.onDraw + staked };
      known.set(nameOf(player), { ...moment, usage: after });
    },
  };
}

const nameOf = ({ networkId, id }: PlayerKey): string => `${networkId} ${id}`;
