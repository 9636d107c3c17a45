/** Since the last call. Source: docs/spec/accounts-and-credit.md §9. */
export const SESSION_IDLE_MS: number = 30 * 60_000;

/** Since the opening. */
export const SESSION_MAX_MS: number = 12 * 60 * 60_000;
