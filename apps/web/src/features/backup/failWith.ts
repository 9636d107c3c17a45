import { ApiError } from '../../lib/api.ts';
import type { CallOptions } from '../../lib/api.ts';
import type { FailureWords } from './backupTexts.ts';

/** Makes a call that fails in these words where the server gives no reason, or no answer. */
export async function failWith<T>(
  { failed, unanswered }: FailureWords,
  send: (options: CallOptions) => Promise<T>,
): Promise<T> {
  try {
    return await send({ fallback: failed });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NO_RESPONSE') throw error;
    throw new ApiError(error.code, unanswered, error.status, undefined, error.sent);
  }
}
