import type { AdminCommissionRow } from '@drawhouse/contract/reports/commission';
import { addPoints } from '../../../lib/pointsMath.ts';

const SUMS = ['commissionAmount', 'totalPoints', 'totalWinPoints'] as const;

/** What a game came to, whoever's it is. Points. */
type Sums = Pick<AdminCommissionRow, (typeof SUMS)[number]>;
/** What one game came to, its admins together. */
export type GameSums = Sums & Pick<AdminCommissionRow, 'gameId' | 'gameName'>;

const NOTHING: Sums = { commissionAmount: 0, totalPoints: 0, totalWinPoints: 0 };

function added<S extends Sums>(sums: S, row: Sums): S {
  return { ...sums, ...Object.fromEntries(SUMS.map((name) => [name, addPoints(sums[name], row[name])])) };
}

/** The rows of the report with the admins of each game together, the game with the most stakes first, and all games together. */
export function summaryByGame(rows: readonly AdminCommissionRow[]): { games: readonly GameSums[]; totals: Sums } {
  const games = new Map<string, GameSums>();
  for (const row of rows) {
    const { gameId, gameName } = row;
    games.set(gameId, added(games.get(gameId) ?? { gameId, gameName, ...NOTHING }, row));
  }
  return {
    games: [...games.values()].sort((a, b) => b.totalPoints - a.totalPoints),
    totals: rows.reduce((sums, row) => added(sums, row), NOTHING),
  };
}
