import { sumPoints } from '@drawhouse/contract/core/hundredths';
import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { Lobby } from '@drawhouse/contract/players/lobby';
import type { GameNews, WalletNews } from '@drawhouse/contract/players/player-live';

const SHOWN_RESULTS = 5;

export function applyGameNews(lobby: Lobby, { gameId, draw, nextOpensAt, awaited, result, terms }: GameNews): Lobby {
  const games = lobby.games.map((game) => {
    if (game.gameId !== gameId) return game;
    const results = withResult(game.results, result, SHOWN_RESULTS);
    const { unitPrice, pays } = terms ?? game;
    return { ...game, draw, nextOpensAt, awaited: [...awaited], results, unitPrice, pays: { ...pays } };
  });
  return { ...lobby, games };
}

export function withResult(results: readonly DrawResult[], result: GameNews['result'], most: number): DrawResult[] {
  if (!result) return [...results];
  const isShown = results.some(({ drawId }) => drawId === result.drawId);
  if (isShown) return results.map((each) => (each.drawId === result.drawId ? result : each));
  const place = results.findIndex(({ drawsAt }) => drawsAt <= result.drawsAt);
  return results.toSpliced(place < 0 ? results.length : place, 0, result).slice(0, most);
}

/** Counts a settled draw only if it is among the open draws: the day's totals may already contain others. */
export function applyWalletNews(lobby: Lobby, { walletBalance, winnings, settled }: WalletNews): Lobby {
  if (!settled || !lobby.openDraws.includes(settled.drawId)) return { ...lobby, walletBalance, winnings };
  const { staked, won, open } = lobby.today;
  // Bets placed after the lobby was read are missing from `open`.
  const leftOf = (before: number): number => Math.max(0, sumPoints([before, -settled.staked]));
  const today = {
    staked: sumPoints([staked, settled.staked]),
    won: sumPoints([won, settled.won]),
    open: leftOf(open),
  };
  const games = lobby.games.map((game) =>
    game.gameId === settled.gameId ? { ...game, open: leftOf(game.open) } : game,
  );
  const openDraws = lobby.openDraws.filter((drawId) => drawId !== settled.drawId);
  return { ...lobby, walletBalance, winnings, today, openDraws, games };
}

export function withOpenDraw(lobby: Lobby, drawId: string): Lobby {
  return { ...lobby, openDraws: [...new Set([...lobby.openDraws, drawId])] };
}

/**
 * Returns true if the day's totals may have changed although no settled draw was reported. A wallet that shrinks means
 * a bet, not a settlement.
 */
export function mayMissSettlement(
  before: Pick<Lobby, 'walletBalance'>,
  { walletBalance, settled }: WalletNews,
): boolean {
  return settled === null && walletBalance >= before.walletBalance;
}

export function netOf({ staked, won }: Lobby['today']): number {
  return sumPoints([won, -staked]);
}
