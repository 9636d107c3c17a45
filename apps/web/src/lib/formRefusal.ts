import { firstMessages } from '../firstMessages.ts';
import { ApiError, errorMessage, isUnconfirmed } from './api.ts';

/** How a form tells of a call that failed, where it differs from the usual. */
export interface RefusalWords {
  /** The sentence of a refusal; else the server's own, or what is so without an answer. */
  refusalText?: (error: unknown) => string;
  /** What is said where it is not known whether the call has acted; null where it is known. */
  doubtText?: (error: unknown) => string | null;
}

/** What a form says of a call that failed. */
export interface FormRefusal {
  /** Above the buttons; null where every wrong field has its own sentence. */
  message: string | null;
  /** It is not known whether the call has acted: said until it is sent again. */
  stays: boolean;
}

const NOTHING: FormRefusal = { message: null, stays: false };

/** What a form says of a failed call beside what its fields say; `shownFields` are those of the server that it shows. */
export function formRefusal(error: unknown, shownFields: readonly string[], words: RefusalWords = {}): FormRefusal {
  if (!error || isUnconfirmed(error)) return NOTHING;
  const { refusalText = errorMessage, doubtText = mayBeDone } = words;
  const doubt = doubtText(error);
  if (doubt !== null) return { message: doubt, stays: true };
  const fields = error instanceof ApiError ? Object.keys(error.fields ?? {}) : [];
  const allShown = fields.length > 0 && fields.every((name) => isShown(name, shownFields));
  return allShown ? NOTHING : { message: refusalText(error), stays: false };
}

/** What the server says of single fields, under the form's own names: `{ transferAmount: 'amount' }`. */
export function refusedFields(
  error: unknown,
  shownFields: readonly string[],
  ownNames: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const fields = error instanceof ApiError ? Object.entries(error.fields ?? {}) : [];
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
  if (error.code === 'NO_RESPONSE') return error.sent ? `${error.message}. ${firstMessages.errors.mayBeDone}` : null;
  // The server's own words for it are those for programs.
  return error.code === 'OUTCOME_UNKNOWN' ? firstMessages.errors.mayBeDone : null;
}
