/** How long an outside result can be corrected. */
export const CORRECTABLE_HOURS = 24;

export const DRAW_FIELD_TEXTS = {
  resultMissing: 'Please enter a valid result.',
  wrongBooster: 'The booster must be a whole number',
  reasonMissing: 'Reason is required',
} as const;
