export const accountListTexts = {
  below: (below: string | number) => `Below ${below}`,
  noYet: (rowsName: string | number) => `No ${rowsName} yet`,
  theyAppearHereAs: 'They appear here as soon as the first one is created.',
  transfer: 'Transfer',
  takeBack: 'Take back',
  limit: 'Limit',
  exportSelected: 'Export selected',
  rowsSelectedByHand: 'Rows selected by hand',
};
