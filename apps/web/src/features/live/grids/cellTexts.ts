export const cellTexts = {
  figures: { sum: 'Sum', pays: 'Pays', net: 'Net' },
  figureOf: 'Figure on each number',
  find: 'Find a number',
  result: 'the result',
} as const;
