import { ApiError } from '@drawhouse/session/api-client';

/** What is told of an action: that it was done, that it was refused, and that something else went wrong. */
export interface ActionTexts {
  done: string;
  failed: string;
  error: string;
}

/** What says that there was no answer of the server. */
const UNANSWERED: readonly string[] = ['NO_RESPONSE', 'OUTCOME_UNKNOWN'];

/** The sentence for a failure: the server's, else the spec's for a refusal or for what was no answer of it. */
export function failureText(error: unknown, texts: ActionTexts): string {
  if (!(error instanceof ApiError) || UNANSWERED.includes(error.code)) return texts.error;
  return saidOf(error) ?? (error.status < 500 ? texts.failed : texts.error);
}

/** What the server itself says of a refusal, which stays beside the field; null where it says nothing. */
export function refusalOf(error: unknown): string | null {
  return error instanceof ApiError && !UNANSWERED.includes(error.code) ? saidOf(error) : null;
}

function saidOf({ fields, message }: ApiError): string | null {
  return Object.values(fields ?? {})[0] ?? (message || null);
}
