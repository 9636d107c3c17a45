export const resultTexts = {
  source: { declared: 'Declared by an operator', generated: 'Generated from the committed seed' },
  ofDraw: (number: number): string => `Result of draw ${number}`,
  check: 'Check this draw',
  dismiss: 'Dismiss the result',
  staked: 'Staked',
  paid: 'Paid',
  left: 'Kept',
  players: 'Players',
  tickets: 'Tickets',
  tryAgain: 'Try again',

  often: 'Frequency',
  independent: 'Draws are independent: past results say nothing about the next.',
  outcome: 'Outcome',
  came: 'Times drawn',
  notFor: 'Draws since',
  which: 'Part of the result',
} as const;
