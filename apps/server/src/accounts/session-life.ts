/** A session ends this long after its last use: 30 minutes (section 9 of the accounts specification). */
export const SESSION_IDLE_MS: number = 30 * 60_000;

/** A session ends at the latest this long after sign-in: 12 hours (the API notes). */
export const SESSION_MAX_MS: number = 12 * 60 * 60_000;
