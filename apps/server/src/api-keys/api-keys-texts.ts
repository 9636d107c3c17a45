export const API_KEY_TEXTS = {
  wrongAddress: "This API key can't be used from this address.",
  created: (name: string): string => `API key ${name} created.`,
  tooMany: (most: number): string => `An account can have at most ${most} API keys. End one you no longer need.`,
  numbersUsed: 'This network has reached its maximum number of API keys.',
  changed: (name: string): string => `API key ${name} changed.`,
  ended: (name: string): string => `API key ${name} ended.`,
  notFound: 'You have no active API key with this id',
  tooManyTickets: (most: number): string =>
    `This API key can place ${most} ${most === 1 ? 'ticket' : 'tickets'} a minute.`,
  creditLeft: (most: string): string => `This API key can move at most ${most} points a day.`,
  stakeLeft: (points: string): string => `This API key has ${points} points left today`,
} as const;

export const API_KEY_SUBJECTS = {
  created: (name: string, username: string): string => `Created API key ${name} of ${username}`,
  changed: (name: string, username: string): string => `Changed API key ${name} of ${username}`,
  ended: (name: string, username: string): string => `Ended API key ${name} of ${username}`,
} as const;
