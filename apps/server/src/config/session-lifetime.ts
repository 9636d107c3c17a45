/** A session ends after this time without a call. Source: docs/spec/accounts-and-credit.md §9. */
export const SESSION_IDLE_MS: number = 30 * 60_000;

/** A session ends this long after it was opened. */
export const SESSION_MAX_MS: number = 12 * 60 * 60_000;
