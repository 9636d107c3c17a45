export const REPORT_TEXTS = {
  ticketFetched: 'Ticket details fetched successfully',
  noGame: 'There is no game with this Game ID',
  undoneOne: '1 ticket of this time was',
  undoneMany: (tickets: bigint): string => `${tickets} tickets of this time were`,
  undone: (were: string, on: string, are: string): string =>
    `${were} undone by a restore on ${on}, and ${are} not listed. You can look up each by its number.`,
  bothDates: 'Send both startDate and endDate, or neither',
  noTransaction: 'No such transaction in your network.',
} as const;
