/** The limits that protect a player, with the words for each. All are in points but the last, which is in minutes. */
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
/** The name of one of these limits. */
export type ProtectionLimit = keyof typeof PROTECTION_LIMITS;

/** How long a break lasts, from when it is taken. */
export const BREAKS = ['1 day', '1 week', '1 month', '2 months', '3 months'] as const;
/** How long an exclusion lasts, from when it is made. */
export const EXCLUSIONS = ['6 months', '1 year', '5 years'] as const;

/** The most minutes that a limit can allow: those of a day. */
export const DAY_MINUTES = 1440;
