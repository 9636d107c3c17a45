export const apiKeyTexts = {
  title: 'API Keys',
  make: 'Make API key',
  meaning:
    'A program lays bets for any player of your network with a key: up to 500 tickets in a call. Each is judged as if its player had laid it.',
  emptyTitle: 'No API keys yet',
  emptyText: 'A game client or an integration that lays bets for your players needs one.',
  once: 'Copy the key now: it is shown this once, and kept nowhere.',
  made: 'I have copied it',
  actions: { days: 'Use by day', change: 'Change limits', end: 'End the key' },
  end: {
    title: 'End API key',
    label: 'End key',
    question: (name: string) => `End the API key ${name}?`,
    consequence:
      'Whatever program uses it lays no more bets from that moment. It can’t be undone; tickets that were laid stay.',
  },
  any: 'Any',
} as const;
