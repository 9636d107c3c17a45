export const TICKET_TEXTS = {
  notYoursField: 'You have no such ticket',
  drawVoid: 'The draw of this ticket is void, and its stake was refunded.',
  notSettled: 'The draw of this ticket is not settled yet.',
  noWin: 'This ticket has no win.',
  paidAtSettlement: 'The win of this ticket was already paid when its draw settled.',
  onlyYourself: 'Leave it out: without an API key, you can only bet for yourself',
  numberFull: 'This number is full for this bet',
  /** Sums would reveal what others staked. */
  drawFull: 'This draw is full for this bet',
  perTicket: 'the limit per ticket',
  perPlayer: 'left to you on this draw',
  pointsAre: (points: string, what: string): string => `${points} points are ${what}`,
  processedAndCleared:
    'This request was already processed, and its ticket has since been cleared. No new bet was placed.',
  tooManyBets: 'Too many bets are waiting. Please try again in a moment.',
  noPlayer: 'No player in your network has this unique id',
  playerMissing: 'Send the unique id of the player who bets',
  notAhead: 'No ticket for this draw can be bought now',
  boughtAhead: (tickets: number): string => (tickets === 1 ? '1 ticket bought.' : `${tickets} tickets bought.`),
  notRunning: 'This draw is no longer running',
  cleared: (sentence: string, first: string, last: string, on: string): string =>
    `${sentence} Tickets from ${first} to ${last} were cleared on ${on}.`,
  undone: (on: string): string => `This ticket was undone by a restore on ${on}.`,
  noTicket: 'No such ticket in your network.',
  noPaper: 'This draw has no ticket with this number and receipt digest, or its tickets were cleared.',
  stillOpen: 'Betting on this draw is still open. The proof of this ticket is available after it closes.',
  tooManyReceipts: 'Too many receipts requested. Please try again in a moment.',
  notYours: 'You have no such ticket.',
  tooFarBack: (days: number): string => `Choose at most the last ${days} days`,
  endBeforeStart: 'The end is before the start',
  notCovered: 'The game cannot cover this bet.',
  repeatedAndCleared: 'This request already made a ticket, which has since been cleared.',
  claimed: 'Win claimed.',
} as const;

export const TICKET_SUBJECTS = {
  claimed: (number: string, points: string): string => `Claimed the win of ticket ${number}, ${points} points`,
  printed: (nth: number, number: string): string => `Printed ${nth === 1 ? '' : 'a copy of '}ticket ${number}`,
  claimedForExcluded: (number: string, points: string, username: string): string =>
    `Claimed the win of ticket ${number}, ${points} points, for player ${username}, who is excluded`,
  claimedForCorrection: (number: string, points: string, username: string): string =>
    `Claimed the win of ticket ${number}, ${points} points, for player ${username}: its draw is corrected`,
} as const;
