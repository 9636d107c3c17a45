export const cellTexts = {
  figures: { sum: 'Sum', pays: 'Pays', net: 'Net' },
  figureOf: 'Shown of each number',
  find: 'Find a number',
  result: 'the result',
} as const;
