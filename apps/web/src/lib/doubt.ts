import { ApiError } from '@drawhouse/session/api-client';

/** Whether a movement of credit may have been done although its call failed. */
export function isInDoubt(error: unknown): boolean {
  return error instanceof ApiError && error.mayBeDone;
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
