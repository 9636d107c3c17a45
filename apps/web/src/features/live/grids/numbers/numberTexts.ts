/** Spec texts verbatim first, then our own. */
export const numberTexts = {
  netIfDeclared: 'Net If Declared',
  total: 'TOTAL',

  orders: { number: 'By number', dearest: 'Highest payout first', cheapest: 'Lowest payout first' },
  order: 'Order',
  rankAgain: 'Update order',
  dearest: 'Highest payout',
  cheapest: 'Lowest payout',
  noStakes: 'No bets on this draw yet.',
  hundreds: 'Go to',
  payout: 'Payout',
  chosen: 'chosen',
  result: 'the result',
} as const;
