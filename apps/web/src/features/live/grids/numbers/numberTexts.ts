/** Spec texts verbatim first, then our own. */
export const numberTexts = {
  netIfDeclared: 'Net If Declared',
  total: 'TOTAL',

  orders: { number: 'By number', dearest: 'Costs most first', cheapest: 'Costs least first' },
  order: 'Order',
  rankAgain: 'Rank again',
  dearest: 'Costs most',
  cheapest: 'Costs least',
  noStakes: 'Nothing is staked on this draw yet.',
  hundreds: 'Go to',
  payout: 'Payout',
  chosen: 'chosen',
  result: 'the result',
} as const;
