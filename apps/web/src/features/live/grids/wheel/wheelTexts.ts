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
} as const;
