/** A failed fetch of the session: the session has ended, the server asks to try again, or no answer of the server came. */
export type SessionFetchFailure = 'ended' | 'retry' | 'unanswered';

/** The network is in another cell, too many calls, not ready: none says anything about the session. */
const RETRY: readonly number[] = [421, 429, 503];
/** Nothing came, or only a proxy's word that nothing did. */
const UNANSWERED: readonly number[] = [0, 502, 504];
/** The pause before a fetch that failed is tried again doubles from the first to the last, in milliseconds. */
const PAUSE_MS = { first: 1000, last: 8000 } as const;

/** What a failed fetch of the session means, by its HTTP status; 0 is no answer. */
export function sessionFetchFailure(status: number): SessionFetchFailure {
  if (UNANSWERED.includes(status)) return 'unanswered';
  // A success that cannot be read was cut off on its way.
  return RETRY.includes(status) || status < 400 ? 'retry' : 'ended';
}

/** The pause before the next try, in milliseconds, after so many that failed. */
export function sessionFetchPause(failures: number): number {
  return Math.min(PAUSE_MS.first * 2 ** Math.max(0, failures - 1), PAUSE_MS.last);
}
