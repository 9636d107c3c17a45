export const apiKeyTexts = {
  title: 'API Keys',
  make: 'Create API key',
  meaning:
    'With a key, a program can place bets for any of your players: up to 500 tickets per call. Each is ' +
    'judged as if its player had placed it.',
  emptyTitle: 'No API keys yet',
  emptyText: 'A game client or an integration that places bets for your players needs one.',
  once: 'Copy the key now. It is shown only once and not stored.',
  made: 'I have copied it',
  actions: { days: 'Use by day', change: 'Change limits', end: 'End key' },
  end: {
    title: 'End API key',
    label: 'End key',
    question: (name: string) => `End the API key ${name}?`,
    consequence: 'Programs that use it can no longer place bets. This can’t be undone. Placed tickets stay valid.',
  },
  any: 'Any',
} as const;
