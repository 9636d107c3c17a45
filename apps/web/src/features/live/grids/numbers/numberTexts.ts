/** The texts of the number grid: the specification's to the letter, then ours. */
export const numberTexts = {
  netIfDeclared: 'Net If Declared',
  total: 'TOTAL',

  figures: { sum: 'Sum', pays: 'Pays', net: 'Net' },
  figureOf: 'Shown of each number',
  orders: { number: 'By number', dearest: 'Costs most first', cheapest: 'Costs least first' },
  order: 'Order',
  rankAgain: 'Rank again',
  find: 'Find a number',
  dearest: 'Costs most',
  cheapest: 'Costs least',
  noStakes: 'Nothing is staked on this draw yet.',
  hundreds: 'Go to',
  payout: 'Payout',
  chosen: 'chosen',
  result: 'the result',
} as const;
