import type { DrawResult, DrawView } from '../draws/draws.ts';
import type { Limits } from '../games/game-pair.ts';

/** What a game pays and costs, and how much of it may be staked: of the running draw, or where none runs, of the next. */
export interface GameTerms {
  /** In points. */
  unitPrice: number;
  /** Of each head, in hundredths per unit, as on a panel. */
  pays: Readonly<Record<string, number>>;
  limits: Limits;
  /** Whether wins wait until the player claims them. */
  manualClaims: boolean;
}

/** What a player hears of a game of its network: where its draw stands and what came up last. Nothing of anybody's stakes. */
export interface GameNews {
  gameId: string;
  serverTime: string;
  /** The running draw; null where none runs. */
  draw: DrawView | null;
  /** When the draw after this one opens, or where none runs, the next; null while the game is not open. */
  nextOpensAt: string | null;
  /** The newest result, where it is new since the news before; null where it is not. The first news of a game has it anyway. */
  result: DrawResult | null;
  /** Where they are others than in the news before; null where they are not. The first news of a game has them anyway. */
  terms: GameTerms | null;
}

/** What a player hears of its own wallet, in the moment in which it changes. */
export interface WalletNews {
  walletBalance: number;
  winnings: number;
  /**
   * The settled draw that changed it, what the player had staked there and what that brought, which waits in its winnings where wins are to be
   * claimed; null where something else did. It comes also where nothing was won, and before the result of the draw.
   */
  settled: { gameId: string; drawId: string; staked: number; won: number } | null;
}

/** What the socket carries for players beside `bet`: they watch games of their own network, as many as the lobby has. */
export interface PlayerEvents {
  /**
   * Client to server: the games to hear of from now on, in place of those before; others than the network's are passed over. Their news, and
   * that of the own wallet, come at once. To be sent again after each reconnect.
   */
  watchGames: (gameIds: readonly string[]) => void;
  /** Server to client: a game that is watched has changed. */
  gameNews: (news: GameNews) => void;
  /** Server to client, from the first `watchGames` on: the own wallet has changed. */
  walletNews: (news: WalletNews) => void;
}
