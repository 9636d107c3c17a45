export const PROTECTION_LIMITS = {
  stakePerDraw: 'Stake per draw',
  stakePerDay: 'Stake per day',
  stakePerWeek: 'Stake per week',
  stakePerMonth: 'Stake per month',
  lossPerDay: 'Loss per day',
  lossPerWeek: 'Loss per week',
  lossPerMonth: 'Loss per month',
  minutesPerDay: 'Minutes signed in per day',
} as const;
export type ProtectionLimit = keyof typeof PROTECTION_LIMITS;

export const BREAKS = ['1 day', '1 week', '1 month', '2 months', '3 months'] as const;
export const EXCLUSIONS = ['6 months', '1 year', '5 years'] as const;

export const DAY_MINUTES = 1440;

/** `most`: per player and game. `name`, `text`: in characters. */
export const FAVORITE_LIMITS = { most: 20, name: 40, text: 4_000 } as const;
