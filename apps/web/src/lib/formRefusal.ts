import { ApiError, isUnconfirmed, sayOf } from '@drawhouse/session/api-client';
import { firstTexts } from '../firstTexts.ts';
import { errorMessage } from './api.ts';

/** How a form tells of a call that failed, where it differs from the usual. */
export interface RefusalWords {
  /** The sentence of a refusal; else the server's own, or what is so without an answer. */
  refusalText?: (error: unknown) => string;
  /** What is said beyond it where it is not known whether the call has acted; null where it is known. */
  doubtText?: (error: unknown) => string | null;
}

/** What a form says of a call that failed. */
export interface FormRefusal {
  /** Above the buttons; null where every wrong field has its own sentence. It clears as the spec times it. */
  message: string | null;
  /** In a line of its own: what is to be known before it is sent again. It stays until then. */
  beyond: string | null;
}

const NOTHING: FormRefusal = { message: null, beyond: null };

/**
 * What a form says of a failed call beside what its fields say; `shownFields` are those of the server that it shows. That nothing could be
 * sent is no news once the server can be reached again (`isLost` is false).
 */
export function formRefusal(
  error: unknown,
  shownFields: readonly string[],
  words: RefusalWords = {},
  isLost: boolean = true,
): FormRefusal {
  if (!error || isUnconfirmed(error)) return NOTHING;
  if (error instanceof ApiError && error.code === 'NO_RESPONSE' && !error.sent && !isLost) return NOTHING;
  const { refusalText = errorMessage, doubtText = mayBeDone } = words;
  const doubt = doubtText(error);
  const beyond = doubt && sayOf(error, doubt);
  // The server's own words for it are those for programs.
  if (error instanceof ApiError && error.code === 'OUTCOME_UNKNOWN' && beyond !== null)
    return { message: null, beyond };
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  const allShown = fields.length > 0 && fields.every((name) => isShown(name, shownFields));
  return { message: allShown ? null : sayOf(error, refusalText(error)), beyond };
}

/** What the server says of single fields, under the form's own names: `{ transferAmount: 'amount' }`. */
export function refusedFields(
  error: unknown,
  shownFields: readonly string[],
  ownNames: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  return Object.fromEntries(
    fields.filter(([name]) => isShown(name, shownFields)).map(([name, text]) => [ownNames[name] ?? name, text]),
  );
}

/** A form shows its fields, and what they are made of: `images.3` is part of `images`. */
function isShown(name: string, shownFields: readonly string[]): boolean {
  return shownFields.includes(name.split('.')[0]!);
}

function mayBeDone(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'OUTCOME_UNKNOWN') return firstTexts.errors.mayBeDone;
  return error.code === 'NO_RESPONSE' && error.sent ? firstTexts.errors.unanswered : null;
}
