import { ApiError, type CallOptions } from '@drawhouse/session/api-client';
import type { FailureWords } from './backupTexts.ts';
import { setSignOutReason, endSession } from '../../lib/session/session.ts';

/** Replaces missing reasons or answers by these messages. A long job needs the latter even after a reconnect. */
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

/** True without an answer, or with a proxy's. */
export function mayHaveStarted(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 ? error.sent : error.status >= 500 && error.code !== 'NOT_READY';
}

export function leaveAfterRestore(message: string, why: string): void {
  setSignOutReason(`${message}. ${why}`);
  // The server ends the session too.
  endSession('ended');
}
