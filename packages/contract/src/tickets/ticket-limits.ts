export const TICKET_LIMITS = { qty: 1_000_000, lines: 1_000 } as const;

/**
 * Tickets and lines per call, and bytes of JSON. A ticket with every field and one line takes 250 bytes, so most calls
 * use less than half.
 */
export const BULK_LIMITS = { bets: 500, lines: 2_000, bytes: 256 * 1024 } as const;
