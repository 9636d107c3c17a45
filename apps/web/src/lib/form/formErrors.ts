import { ApiError, isUnconfirmed, failureMessage } from '@drawhouse/session/api-client';
import { firstTexts } from '../../firstTexts.ts';
import { errorMessage } from '../server/api.ts';

export interface RefusalTexts {
  /** Default: the server's message. */
  refusalText?: (error: unknown) => string;
  /** Warning about an uncertain outcome; null if certain. */
  doubtText?: (error: unknown) => string | null;
}

export interface FormRefusal {
  /** Above the buttons; null if every invalid field has its own message. Clears after the time in the spec. */
  message: string | null;
  /** Stands on its own line, until the next submit. */
  beyond: string | null;
}

const NOTHING: FormRefusal = { message: null, beyond: null };

/** `shownFields`: server fields on the form. Drops the connection error once `isLost` is false. */
export function formRefusal(
  error: unknown,
  shownFields: readonly string[],
  words: RefusalTexts = {},
  isLost: boolean = true,
): FormRefusal {
  if (!error || isUnconfirmed(error)) return NOTHING;
  if (error instanceof ApiError && error.code === 'NO_RESPONSE' && !error.sent && !isLost) return NOTHING;
  const { refusalText = errorMessage, doubtText = mayBeDone } = words;
  const doubt = doubtText(error);
  const beyond = doubt && failureMessage(error, doubt);
  // The server's message for this code addresses programs.
  if (error instanceof ApiError && error.code === 'OUTCOME_UNKNOWN' && beyond !== null)
    return { message: null, beyond };
  const fields = error instanceof ApiError ? Object.keys(error.fields) : [];
  const allShown = fields.length > 0 && fields.every((name) => isShown(name, shownFields));
  return { message: allShown ? null : failureMessage(error, refusalText(error)), beyond };
}

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

/** Treats `images.3` as part of `images`. */
function isShown(name: string, shownFields: readonly string[]): boolean {
  return shownFields.includes(name.split('.')[0]!);
}

function mayBeDone(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'OUTCOME_UNKNOWN') return firstTexts.errors.mayBeDone;
  return error.code === 'NO_RESPONSE' && error.sent ? firstTexts.errors.unanswered : null;
}

interface FormWithInputs {
  getInputNode: (path: string) => HTMLElement | null;
}

/** Follows the page's order. */
export function focusFirstError(form: FormWithInputs, errors: Readonly<Record<string, unknown>>): void {
  const inputs = Object.keys(errors)
    .map((path) => form.getInputNode(path))
    .filter((node) => node !== null);
  inputs.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  inputs[0]?.focus();
}

/** True if the movement may have happened. */
export function hasUncertainOutcome(error: unknown): boolean {
  return error instanceof ApiError && error.mayBeDone;
}

interface UncertainOutcomeTexts {
  readonly unanswered: string;
  readonly unclear: string;
  readonly notSent: string;
}

/** Null if the movement certainly did not happen. */
export function uncertainOutcomeText(error: unknown, words: UncertainOutcomeTexts): string | null {
  const unanswered = error instanceof ApiError && error.code === 'NO_RESPONSE';
  if (!hasUncertainOutcome(error)) return unanswered ? words.notSent : null;
  return unanswered ? words.unanswered : words.unclear;
}
