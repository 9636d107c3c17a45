import { ApiError } from '@drawhouse/session/api-client';
import { newIdempotencyKey } from '../../../lib/idempotencyKey.ts';

/** A request that was sent, and the idempotency key that it carried. */
export interface SentRequest {
  readonly of: string;
  readonly key: string;
}

/**
 * Sends a request with an idempotency key, the same one again where the same request was sent before and may have acted, so that it acts once.
 * `sent` keeps the last one meanwhile. Throws as `send` does.
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
    // A call whose answer was lost may have acted, so it keeps its key. A refused one has not.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) sent.current = null;
    throw error;
  }
}
