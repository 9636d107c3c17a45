import { ApiError } from '@drawhouse/session/api-client';
import type { CallOptions } from '@drawhouse/session/api-client';
import type { FailureWords } from './backupTexts.ts';

/**
 * Makes a call that fails in these words where the server gives no reason, or no answer. That none came is said by a code of its own: for what
 * takes minutes it is said also where there is a connection again.
 */
export async function failWith<T>(
  { failed, unanswered }: FailureWords,
  send: (options: CallOptions) => Promise<T>,
): Promise<T> {
  try {
    return await send({ fallback: failed });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NO_RESPONSE') throw error;
    throw new ApiError('UNANSWERED', unanswered, { sent: error.sent });
  }
}

/** Whether a call that failed may have begun what it is for, and that goes on: no answer came, or only that of something in between. */
export function mayGoOn(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 ? error.sent : error.status >= 500 && error.code !== 'NOT_READY';
}
