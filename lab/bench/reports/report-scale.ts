/** How large the bench is. */
export interface ReportsScale {
  /** Tickets of the whole, of which a tenth are there when growth is first looked at. */
  readonly tickets: number;
  readonly players: number;
  readonly days: number;
  readonly rounds: number;
  /** Rows of the file. */
  readonly exported: number;
}

/** What the figures of docs/performance.md are measured at. */
export const FULL: ReportsScale = { tickets: 10_000_000, players: 100_000, days: 30, rounds: 5, exported: 1_000_000 };
