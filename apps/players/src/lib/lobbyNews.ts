import { sumPoints } from '@drawhouse/contract/frame/hundredths';
import type { Lobby } from '@drawhouse/contract/players/lobby';
import type { GameNews, WalletNews } from '@drawhouse/contract/players/player-live';

/** So many of the last results of a game stay in sight. */
const SHOWN_RESULTS = 5;

/** The lobby after news of one of its games: where its draw stands, what it pays, and what came up. */
export function withGameNews(lobby: Lobby, { gameId, draw, nextOpensAt, result, terms }: GameNews): Lobby {
  const games = lobby.games.map((game) => {
    if (game.gameId !== gameId) return game;
    const isNew = result !== null && game.results.every(({ drawId }) => drawId !== result.drawId);
    const results = isNew ? [result, ...game.results].slice(0, SHOWN_RESULTS) : game.results;
    const { unitPrice, pays } = terms ?? game;
    return { ...game, draw, nextOpensAt, results, unitPrice, pays: { ...pays } };
  });
  return { ...lobby, games };
}

/** The lobby after news of the own wallet: with a settled draw the day goes on. */
export function withWalletNews(lobby: Lobby, { walletBalance, winnings, settled }: WalletNews): Lobby {
  const { staked, won, open } = lobby.today;
  const today = settled
    ? {
        staked: sumPoints([staked, settled.staked]),
        won: sumPoints([won, settled.won]),
        // What was laid since the lobby was read is not among what is open there.
        open: Math.max(0, sumPoints([open, -settled.staked])),
      }
    : lobby.today;
  return { ...lobby, walletBalance, winnings, today };
}

/**
 * Whether the day may have gone on without these news saying how: they carry no settled draw, and the wallet has not become less, as it does with a bet.
 */
export function isUntold(before: Pick<Lobby, 'walletBalance'>, { walletBalance, settled }: WalletNews): boolean {
  return settled === null && walletBalance >= before.walletBalance;
}

/** What the day has brought so far: what was won, less what was staked on draws that are settled. */
export function netOf({ staked, won }: Lobby['today']): number {
  return sumPoints([won, -staked]);
}
