import type { AwaitedDraw, DrawResult, DrawView } from '../draws/draws.ts';
import type { Limits } from '../games/game-pair.ts';

/** Pays, price and limits of the running draw, else of the next. */
export interface GameTerms {
  unitPrice: number;
  pays: Readonly<Record<string, number>>;
  limits: Limits;
  manualClaims: boolean;
}

/** Game news for players: draw and latest result. Never contains stakes. */
export interface GameNews {
  gameId: string;
  serverTime: string;
  draw: DrawView | null;
  /** Opening of the next draw. Null while the game is not open. */
  nextOpensAt: string | null;
  /** Draws that wait for their outside results, oldest first. */
  awaited: readonly AwaitedDraw[];
  /** Newest result if changed since the previous news, else null. Always set in the first news. */
  result: DrawResult | null;
  /** Set if changed since the previous news, else null. Always set in the first news. */
  terms: GameTerms | null;
}

export interface WalletNews {
  walletBalance: number;
  winnings: number;
  /**
   * Settled draw behind the change, with the player's stakes and wins (unclaimed if claims are manual). Null for other
   * causes. Arrives before the draw's result, even without a win.
   */
  settled: { gameId: string; drawId: string; staked: number; won: number } | null;
}

/** Player events besides `bet`, for games of the player's network. */
export interface PlayerEvents {
  /**
   * Client to server: replaces the watched games; ignores other networks' games. Game and wallet news follow
   * immediately. Resend after each reconnect.
   */
  watchGames: (gameIds: readonly string[]) => void;
  gameNews: (news: GameNews) => void;
  /** Server to client, after the first `watchGames`: wallet changed. */
  walletNews: (news: WalletNews) => void;
}
