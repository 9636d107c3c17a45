/** The most units on one line, and the most lines on one ticket. */
export const TICKET_LIMITS = { qty: 1_000_000, lines: 1_000 } as const;

/** The most tickets that one call asks for, and the most lines on all of them together. */
export const BULK_LIMITS = { bets: 500, lines: 2_000 } as const;
