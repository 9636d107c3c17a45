/** The texts of the returns report. */
export const returnsTexts = {
  title: 'Returns',
  outside: (count: number) =>
    count === 0
      ? 'All games lie within their bands.'
      : `${count} ${count === 1 ? 'game lies outside its band' : 'games lie outside their bands'}.`,
  counted:
    'Only generated draws with bets are counted. In 99 of 100 cases chance alone keeps a return within its band: one outside it is worth a look.',
  /** Beside a figure, of which they say how it stands to its band. */
  short: { above: 'Above', below: 'Below', none: '' },
  notSet: 'Not set',
  empty: {
    title: 'No games yet',
    text: 'Each game of each admin has a row here, with what it should return to its players and what it did.',
  },
} as const;
