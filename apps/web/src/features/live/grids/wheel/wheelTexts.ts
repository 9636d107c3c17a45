export const wheelTexts = {
  outcomes: 'Outcomes',
  legend: {
    least: 'On each number: what is staked on it, its share of the draw, and what declaring it leaves.',
    pays: 'On each number: what is staked on it, its share of the draw, and what declaring it pays and leaves.',
    names: 'On each number: what is staked on it, its share of the draw, and what declaring it does.',
  },
  detailHint: 'Point at a number, or choose it, for its exact amounts.',
  staked: 'Staked',
  pays: 'Pays',
  leaves: 'Leaves',
  result: 'the result',
} as const;
