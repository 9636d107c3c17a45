import { ApiError } from '@drawhouse/session/api-client';
import { newIdempotencyKey } from '../../../lib/idempotencyKey.ts';

export interface SentRequest {
  readonly of: string;
  readonly key: string;
}

/**
 * Reuses the idempotency key of the same request while it may have been executed. `sent` holds the last unanswered
 * request. Rethrows errors of `send`.
 */
export async function sendOnce<Answer>(
  sent: { current: SentRequest | null },
  request: string,
  send: (idempotencyKey: string) => Promise<Answer>,
): Promise<Answer> {
  if (sent.current?.of !== request) sent.current = { of: request, key: newIdempotencyKey() };
  try {
    const answer = await send(sent.current.key);
    sent.current = null;
    return answer;
  } catch (error) {
    // Without an answer the request may have been executed, so keep its key. A refused one was not.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) sent.current = null;
    throw error;
  }
}
