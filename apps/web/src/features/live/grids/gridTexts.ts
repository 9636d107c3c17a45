import { formatCount } from '../../../lib/format/format.ts';

export const groupTexts = {
  sort: 'P&L sort',
  margin: 'Margin %',
  cutoff: 'Cutoff',
  net: 'Net',

  series: 'Series',
  subseries: 'Sub-series',
  tiers: 'Tiers',
  chosenOf: (count: number, of: number) => `${count} of ${of} chosen`,
  drawnOf: (count: number, of: number) => `Result: ${count} of ${of}`,
  clearAll: 'Clear all',
  chosenNumbers: 'Chosen numbers',
  takeBack: 'Remove',
  ofSection: (section: string) => `from ${section}, pays`,
  nothingChosen: {
    series: 'Choose the winning number of each sub-series. A sub-series without one has no winner.',
    tiers: 'Choose the winning number of each tier. A tier without one has no winner.',
  },
  collection: 'Collection',
  worst: 'Worst payout',
  chosen: 'chosen',
  result: 'the result',
  numbersOf: 'Numbers',
  numberOf: 'Number',
  staked: 'Staked',
  paysWith: (booster: number) => (booster === 1 ? 'Pays' : `Pays ${booster} X`),
  leaves: 'Keeps',

  byNumber: 'By number',
  order: 'Order',
  number: 'No.',
  andhar: 'Andhar',
  bahar: 'Bahar',
  jodi: 'Jodi',
  total: 'Total',
  payout: 'Payout',
  wrongMargin: 'Enter a whole number from 0 to 100.',
  keeps: 'Met',
  misses: 'Missed',
  keeping: 'Meet the cutoff',
  ofTier: (booster: number) =>
    'Each tier is judged separately. A number meets the cutoff (the collection minus the margin’s share) ' +
    `if its net (the collection minus its payout with booster ${booster} X) is at least as high.`,
  still: 'Sorting pauses while you point at the list.',
  moreHead: 'More',
  more: (drawno: string) => `More about ${drawno}`,
  choose: 'Choose',
} as const;

export const cellTexts = {
  figures: { sum: 'Sum', pays: 'Pays', net: 'Net' },
  figureOf: 'Figure on each number',
  find: 'Find a number',
  result: 'the result',
} as const;

export const numberTexts = {
  netIfDeclared: 'Net If Declared',
  total: 'TOTAL',

  orders: { number: 'By number', dearest: 'Highest payout first', cheapest: 'Lowest payout first' },
  order: 'Order',
  rankAgain: 'Update order',
  dearest: 'Highest payout',
  ends: { dearest: 'Pays most: {number}, net {net}.', cheapest: 'Pays least: {number}, net {net}.' },
  noStakes: 'No bets on this draw yet.',
  hundreds: 'Go to',
  payout: 'Payout',
  chosen: 'chosen',
  result: 'the result',
} as const;

export const wheelTexts = {
  outcomes: 'Outcomes',
  legend: {
    least: 'Each number shows its stakes, its share of the draw, and what the house keeps if you declare it.',
    pays: 'Each number shows its stakes, its share of the draw, and what declaring it pays and keeps.',
    names: 'Each number shows its stakes, its share of the draw, and the effect of declaring it.',
  },
  detailHint: 'Point at a number, or choose it, to see exact amounts.',
  staked: 'Staked',
  pays: 'Pays',
  leaves: 'Keeps',
  result: 'the result',
  kinds: (drawno: string) => `Kinds of bets on ${drawno}`,
} as const;

export const gridTexts = {
  noNumber: (text: string | number) => `No number ${text}.`,
  clear: 'Clear',
  sections: 'Sections',
  makeLoss: (losses: number) => (losses === 1 ? '1 makes a loss.' : `${formatCount(losses)} make a loss.`),
  outcomes: 'Outcomes',
  of: (of: string | number) => ` of ${of}`,
  result: 'the result',
  staked: 'staked',
  pays: 'Pays',
  keeps: 'Keeps',
  paysKeeps: 'Pays {pays}, keeps {span}',
  number: (label: string | number) => `Number ${label}`,
  chosenOfAll: '{count} of {all}{span}',
};
