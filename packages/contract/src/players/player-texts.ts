export const PLAYER_FIELD_TEXTS = {
  nameMissing: 'Enter a name',
  betsMissing: 'Enter bets as text, such as 7*5',
  wrongLimit:
    'Enter points above 0 with at most 2 decimals, such as 500; a whole number for minutes; or null for no limit',
  reasonNotText: 'The reason must be text',
  wrongWall: 'Use the whole link to the wall',
} as const;
