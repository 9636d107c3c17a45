import type { AwaitedDraw, DrawResult, DrawView } from '../draws/draws.ts';
import type { Limits } from '../games/game-pair.ts';

/** Terms of the running draw, else of the next. */
export interface GameTerms {
  unitPrice: number;
  pays: Readonly<Record<string, number>>;
  limits: Limits;
  manualClaims: boolean;
}

/** Never contains stakes. */
export interface GameNews {
  gameId: string;
  serverTime: string;
  draw: DrawView | null;
  nextOpensAt: string | null;
  /** Oldest first. */
  awaited: readonly AwaitedDraw[];
  /**
   * New or corrected since the previous news, else null. The first news has the newest result. Later ones may bring an
   * older one: of an outside lottery.
   */
  result: DrawResult | null;
  /** Null like `result`, if unchanged. */
  terms: GameTerms | null;
}

export interface WalletNews {
  walletBalance: number;
  winnings: number;
  /**
   * Settled draw behind the change, with the player's stakes and wins (unclaimed if claims are manual). Arrives before
   * the draw's result, even without a win.
   */
  settled: { gameId: string; drawId: string; staked: number; won: number } | null;
}

/** Besides `bet`. For games of the player's network. */
export interface PlayerEvents {
  /**
   * Sent by the client: replaces the watched games and ignores other networks' games. Game and wallet news follow at
   * once. Resend after each reconnect.
   */
  watchGames: (gameIds: readonly string[]) => void;
  gameNews: (news: GameNews) => void;
  /** Starts with the first `watchGames`. */
  walletNews: (news: WalletNews) => void;
}
