import { ApiError } from './api.ts';

/**
 * Whether a movement of credit may have been done without our knowing: because no answer came, or because the one that came can't tell.
 * A server that is not ready has done nothing: what it can't tell has a code of its own.
 */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'NO_RESPONSE' ? error.sent : error.status >= 500 && error.code !== 'NOT_READY';
}

/** What is told of a movement of credit that may have been done, and of one that was never sent. */
export interface DoubtWords {
  readonly unanswered: string;
  /** An answer came, which does not say. */
  readonly unclear: string;
  readonly notSent: string;
}

/** What is told beyond why a movement of credit failed, in these words; null where it is known not to have been done. */
export function doubtOf(error: unknown, words: DoubtWords): string | null {
  const unanswered = error instanceof ApiError && error.code === 'NO_RESPONSE';
  if (!isInDoubt(error)) return unanswered ? words.notSent : null;
  return unanswered ? words.unanswered : words.unclear;
}
