import { ApiError } from '@drawhouse/session/api-client';
import { newIdempotencyKey } from '../../../../lib/form/idempotencyKey.ts';

export interface ActionTexts {
  done: string;
  failed: string;
  error: string;
}

const UNANSWERED: readonly string[] = ['NO_RESPONSE', 'OUTCOME_UNKNOWN'];

/** Falls back to the spec's texts for a refusal or another failure. */
export function failureText(error: unknown, texts: ActionTexts): string {
  if (!(error instanceof ApiError) || UNANSWERED.includes(error.code)) return texts.error;
  return saidOf(error) ?? (error.status < 500 ? texts.failed : texts.error);
}

/** Null without a reason from the server. */
export function refusalOf(error: unknown): string | null {
  return error instanceof ApiError && !UNANSWERED.includes(error.code) ? saidOf(error) : null;
}

function saidOf({ fields, message }: ApiError): string | null {
  return Object.values(fields ?? {})[0] ?? (message || null);
}

export interface SentRequest {
  readonly of: string;
  readonly key: string;
}

/**
 * Reuses the idempotency key of the same request while it may have run. `sent` is the last unanswered request. Rethrows
 * errors of `send`.
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
    // Unanswered requests keep their key; a refused one did not run.
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) sent.current = null;
    throw error;
  }
}
