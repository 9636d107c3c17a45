export const returnsTexts = {
  title: 'Returns',
  outside: (count: number) =>
    count === 0
      ? 'No game is outside its band.'
      : `${count} ${count === 1 ? 'game is outside its band' : 'games are outside their bands'}.`,
  counted:
    'Only generated draws with bets count. By chance alone, 99 of 100 games stay within their band. Check any that don’t.',
  band: (low: string, high: string) => `99 % in ${low} – ${high}`,
  short: { above: 'Above', below: 'Below', none: '' },
  itsBand: ' its band',
  notSet: 'Not set',
  empty: {
    title: 'No games yet',
    text: 'Each admin’s games are listed here with their expected and actual returns.',
  },
} as const;
