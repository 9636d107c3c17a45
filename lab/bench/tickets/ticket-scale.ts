export interface Scale {
  /** `seconds`: per contestant and round. */
  readonly seconds: number;
  readonly socketSeconds: number;
  readonly rounds: number;
  readonly players: number;
  /** `winners`: timed settlement. `tickets`: settlement with concurrent bets. */
  readonly winners: number;
  readonly tickets: number;
  readonly unsettled: number;
  readonly stored: readonly number[];
  readonly crowds: readonly number[];
}

/** Scale of docs/performance.md. */
export const FULL: Scale = {
  seconds: 5,
  socketSeconds: 60,
  rounds: 5,
  players: 10_000,
  winners: 50_000,
  tickets: 500_000,
  unsettled: 20_000,
  stored: [1_000_000, 10_000_000],
  crowds: [1_000, 10_000, 100_000],
};
