export const FIRST_STEPS_FIELD_TEXTS = {
  fewGames: 'Choose at least one game',
} as const;
