import { ApiError } from '@drawhouse/session/api-client';

/** True if a failed credit movement may have been executed. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof ApiError && error.mayBeDone;
}

export interface DoubtWords {
  readonly unanswered: string;
  /** An answer arrived but leaves the outcome open. */
  readonly unclear: string;
  readonly notSent: string;
}

/** Returns the warning to add to a failed credit movement; null if it certainly did not happen. */
export function doubtOf(error: unknown, words: DoubtWords): string | null {
  const unanswered = error instanceof ApiError && error.code === 'NO_RESPONSE';
  if (!isInDoubt(error)) return unanswered ? words.notSent : null;
  return unanswered ? words.unanswered : words.unclear;
}
