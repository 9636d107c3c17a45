/** `{name}` marks a node that `fill` inserts. */
export const lobbyTexts = {
  title: 'Games',
  loading: 'Loading your games',
  none: 'No games are available to you yet.',
  noneHelp: 'Your account manager opens games for your network.',
  legend:
    '{generated} generated from a seed fixed before betting began. Anyone can check it. {declared} declared by the operator.',
  generated: 'Generated',
  declared: 'Declared',
  today: 'Today',
  sums: 'staked {staked}, won {won}',
  open: 'Open',
  signedIn: 'Signed in for',
  toClaim: '{points} to claim.',
  claim: 'Claim in My bets',
  phases: {
    open: 'Betting closes in',
    closed: 'Betting is closed. Drawn in',
    over: 'Next draw in',
    none: 'Next draw in',
  },
  notOpen: 'Not open now',
  lastResult: 'Last result',
  earlierResults: 'Earlier results',
  noDraws: 'No draws yet.',
} as const;
