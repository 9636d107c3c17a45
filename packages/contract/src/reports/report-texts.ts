export const REPORT_FIELD_TEXTS = {
  wrongShow: 'Show must be online or all',
  onlyCompleted: 'Status can only be completed: a transfer is made in full, or not at all',
  noTicketData: 'No ticket data available.',
  searchMissing: 'Search text is required',
  searchReturns: 'Search by game or admin',
} as const;
