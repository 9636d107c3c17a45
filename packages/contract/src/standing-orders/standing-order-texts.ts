export const STANDING_ORDER_NAMES = {
  kinds: { temporary: 'Temporary credit', refill: 'Refill', floor: 'Stop selling' },
  measures: { credit: 'Its credit is below', owed: 'It owes more than' },
  states: { active: 'Active', skipped: 'Skipped', stopped: 'Selling stopped', ended: 'Ended' },
  wrongKind: 'The kind must be temporary, refill or floor',
  wrongMeasure: 'The measure must be credit or owed',
} as const;

/** Returns `Refill to 500.00 at 06:00, Mon, Tue`. */
export const STANDING_ORDER_TERMS = {
  temporary: (points: string): string => `${points} for a time`,
  refill: (points: string, clock: string, days: string): string =>
    `To ${points} at ${clock}, ${days.replace('Every', 'every')}`,
  credit: (points: string): string => `Credit below ${points}`,
  owed: (points: string): string => `Owed above ${points}`,
} as const;
