export const returnTexts = {
  inLongRunBet: 'In the long run, a bet of this game pays out more than is staked',
  inLongRunThis: (below: string | number) => `In the long run, this returns less than ${below} of stakes`,
  inLongRunIts: 'In the long run, its best bet pays out at least as much as is staked on it.',
  commissionsOrMoreAlong: (stake: string | number) =>
    `Commissions of ${stake} % or more along a chain take its best bet to 100 %.`,
  andMore: (odds: string | number, others: string | number) => `${odds} and ${others} more`,
};
