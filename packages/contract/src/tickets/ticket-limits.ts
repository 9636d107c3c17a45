/** The most units on one line, and the most lines on one ticket. */
export const TICKET_LIMITS = { qty: 1_000_000, lines: 1_000 } as const;

/**
 * The most tickets that one call asks for, the most lines on all of them together, and the most bytes that all may take as JSON: a ticket that
 * names all it can is 250 with its first line, which leaves twice as much for most.
 */
export const BULK_LIMITS = { bets: 500, lines: 2_000, bytes: 256 * 1024 } as const;
