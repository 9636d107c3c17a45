/** The most units on one line, and the most lines on one ticket. */
export const TICKET_LIMITS = { qty: 1_000_000, lines: 1_000 } as const;
