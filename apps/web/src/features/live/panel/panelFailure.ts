import { ApiError } from '@drawhouse/session/api-client';

export interface ActionTexts {
  done: string;
  failed: string;
  error: string;
}

/** Codes for a missing server response. */
const UNANSWERED: readonly string[] = ['NO_RESPONSE', 'OUTCOME_UNKNOWN'];

/** The server's message, or else the spec's for a refusal or another failure. */
export function failureText(error: unknown, texts: ActionTexts): string {
  if (!(error instanceof ApiError) || UNANSWERED.includes(error.code)) return texts.error;
  return saidOf(error) ?? (error.status < 500 ? texts.failed : texts.error);
}

/** The server's reason, shown beside the field; null without one. */
export function refusalOf(error: unknown): string | null {
  return error instanceof ApiError && !UNANSWERED.includes(error.code) ? saidOf(error) : null;
}

function saidOf({ fields, message }: ApiError): string | null {
  return Object.values(fields ?? {})[0] ?? (message || null);
}
