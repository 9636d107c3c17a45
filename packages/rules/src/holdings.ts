/** Whose the credit of a network is, by the columns of `liability_days`. All of them together come to zero. */
export const HOLDINGS = [
  'player_credit',
  'staff_credit',
  'escrow',
  'winnings',
  'commission',
  'tables',
  'outside',
] as const;
/** One of {@link HOLDINGS}. */
export type Holding = (typeof HOLDINGS)[number];
