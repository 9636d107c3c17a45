/** Owners of a network's credit, as columns of `liability_days`. Sum is always zero. */
export const HOLDINGS = [
  'player_credit',
  'staff_credit',
  'escrow',
  'winnings',
  'commission',
  'tables',
  'outside',
] as const;
export type Holding = (typeof HOLDINGS)[number];
