export interface ReportsScale {
  /** Total tickets; growth is first measured at a tenth. */
  readonly tickets: number;
  readonly players: number;
  readonly days: number;
  readonly rounds: number;
  readonly exported: number;
}

/** Scale of docs/performance.md. */
export const FULL: ReportsScale = { tickets: 10_000_000, players: 100_000, days: 30, rounds: 5, exported: 1_000_000 };
