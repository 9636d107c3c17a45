export const TICKET_LIMITS = { qty: 1_000_000, lines: 1_000 } as const;

/** A one-line ticket with every field takes 250 bytes, so most calls use less than half. */
export const BULK_LIMITS = { bets: 500, lines: 2_000, bytes: 256 * 1024 } as const;
