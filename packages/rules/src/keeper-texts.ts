import { utf8ToBytes } from '@noble/hashes/utils.js';

// What the server and a keeper sign of a draw's second seed, and what passes between them (docs/security.md). Each text has a first line
// of its own, so that a signature over one can't pass for a signature over another.

/** What a keeper's signature of a day covers: the root of the commitments to that day's seeds, published a day ahead. */
export interface KeeperDay {
  /** The keeper's name, as `GET /keeper` gives it: 1 to 64 of `A-Z a-z 0-9 . _ -`. */
  readonly name: string;
  /** The day of UTC, `2026-11-26`. */
  readonly day: string;
  /** How many seeds the day has. */
  readonly size: number;
  /** Root of the tree (merkle.ts) over their commitments, each the 32 bytes of SHA-256 of a seed: 64 hex digits. */
  readonly root: string;
}

/** The question on which a keeper releases a seed: one place of a day is for one draw and one root of its tickets, for ever. */
export interface ReleaseQuestion {
  /** The day of UTC whose seed it is, `2026-11-26`. */
  readonly day: string;
  /** Which of the day's seeds, from 0. */
  readonly index: number;
  /** The draw's id, a UUID in lower case. */
  readonly drawId: string;
  /**
   * When betting on the draw closes, as it was published when the draw opened: ISO 8601 with milliseconds, UTC. Before that a keeper releases nothing, by its own clock, and a
   * draw that says another close than its keeper signed is unfair.
   */
  readonly closesAt: string;
  /**
   * What the server committed to for the draw, SHA-256 of its own seed: 64 hex digits. It is fixed by the question, so that nobody who knows the keeper's seed can look
   * for one of the server's that suits.
   */
  readonly commitment: string;
  /** How many tickets the draw was closed with. */
  readonly tickets: number;
  /** Root of their tree, 64 hex digits; without tickets the SHA-256 of nothing. */
  readonly ticketRoot: string;
}

/** A question as the server asks it: `POST /release` takes `{releases: SignedQuestion[], known?: KnownRelease}`. */
export interface SignedQuestion extends ReleaseQuestion {
  /** The server's Ed25519 signature by its seal key over `operatorCloseText`, 128 hex digits. */
  readonly operatorSignature: string;
}

/** A question that a keeper has answered, with both signatures: what each side keeps and can show. */
export interface AnsweredQuestion extends SignedQuestion {
  /** When the keeper released the seed, by its own clock; written as `closesAt` is. */
  readonly releasedAt: string;
  /** The keeper's Ed25519 signature over `keeperReleaseText`, 128 hex digits. */
  readonly signature: string;
}

/** A release that the server has, sent along with the next questions: a keeper that doesn't know it was put back to an older state. */
export type KnownRelease = Omit<AnsweredQuestion, 'operatorSignature'>;

/**
 * Why a keeper releases nothing: another question was answered at that place or for that draw (`kept` is it); betting on the draw is open still, so that
 * it may be asked again; the day or the place is none that it has published; the day is too long ago; the operator's signature is not that of its operator;
 * the draw's id is not of that day; or the keeper was found to be an older copy of itself, and releases nothing more.
 */
export type ReleaseRefusal =
  | 'OTHER_ROOT'
  | 'STILL_OPEN'
  | 'NOT_PUBLISHED'
  | 'DAY_OVER'
  | 'BAD_SIGNATURE'
  | 'BAD_DRAW_ID'
  | 'OLDER_COPY';

/** A keeper's answer to one question. */
export type ReleaseAnswer =
  | {
      /** The 32 bytes of the seed, 64 hex digits. */
      readonly seed: string;
      /** Both as in `AnsweredQuestion`. */
      readonly releasedAt: string;
      readonly signature: string;
    }
  | { readonly code: ReleaseRefusal; readonly message: string; readonly kept?: AnsweredQuestion };

/** What may be a keeper's name. */
export const KEEPER_NAME = /^[\w.-]{1,64}$/;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const HEX_32 = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is an instant as it is signed: ISO 8601 with milliseconds, UTC, of a day that there is. */
export function isSignedTime(text: unknown): text is string {
  if (typeof text !== 'string' || !TIME.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

/** What is wrong with a question: the field, and what would be right. Null where nothing is. */
export function questionProblem({
  day,
  index,
  drawId,
  closesAt,
  commitment,
  tickets,
  ticketRoot,
}: ReleaseQuestion): string | null {
  const is = (field: unknown, form: RegExp): boolean => typeof field === 'string' && form.test(field);
  const isCount = (field: number): boolean => Number.isSafeInteger(field) && field >= 0;
  if (!is(day, DAY)) return 'day is a day of UTC such as 2026-11-26.';
  if (!isCount(index)) return 'index is a whole number from 0.';
  if (!is(drawId, UUID)) return 'drawId is a UUID in lower case.';
  if (!isSignedTime(closesAt)) return 'closesAt is a time such as 2026-11-26T12:00:00.000Z.';
  if (!is(commitment, HEX_32)) return 'commitment is 64 hex digits in lower case.';
  if (!isCount(tickets)) return 'tickets is a whole number from 0.';
  if (!is(ticketRoot, HEX_32)) return 'ticketRoot is 64 hex digits in lower case.';
  return null;
}

/**
 * What a keeper signs of a day, UTF-8: `drawhouse keeper day`, name, day, size and root, each with a newline. Throws RangeError where a
 * field can't be one.
 */
export function keeperDayText({ name, day, size, root }: KeeperDay): Uint8Array {
  if (!DAY.test(day) || !Number.isSafeInteger(size) || size < 1 || !HEX_32.test(root))
    throw new RangeError('A day of a keeper has a day such as 2026-11-26, a size from 1 and a root of 64 hex digits.');
  return linesOf('drawhouse keeper day', checkedName(name), day, size, root);
}

/**
 * What a keeper signs of a release, UTF-8: `drawhouse keeper release`, its name, day, index, drawId, closesAt, commitment, tickets, ticketRoot and releasedAt, each
 * with a newline. Throws RangeError where a field can't be one.
 */
export function keeperReleaseText(name: string, question: ReleaseQuestion, releasedAt: string): Uint8Array {
  const { day, index, drawId, closesAt, commitment, tickets, ticketRoot } = checkedQuestion(question);
  if (!isSignedTime(releasedAt)) throw new RangeError('releasedAt is a time such as 2026-11-26T12:00:00.000Z.');
  return linesOf(
    'drawhouse keeper release',
    checkedName(name),
    day,
    index,
    drawId,
    closesAt,
    commitment,
    tickets,
    ticketRoot,
    releasedAt,
  );
}

/**
 * What the server signs of a draw's close for a keeper, UTF-8: `drawhouse operator close`, the keeper's public key in 64 hex digits, drawId,
 * day, index, closesAt, commitment, tickets and ticketRoot, each with a newline. The key is there so that what one keeper was asked can't be put to another,
 * whose place of that day and index is another draw's. Throws RangeError where a field can't be one.
 */
export function operatorCloseText(keeperKey: string, question: ReleaseQuestion): Uint8Array {
  if (!HEX_32.test(keeperKey)) throw new RangeError("A keeper's public key is 64 hex digits in lower case.");
  const { day, index, drawId, closesAt, commitment, tickets, ticketRoot } = checkedQuestion(question);
  return linesOf('drawhouse operator close', keeperKey, drawId, day, index, closesAt, commitment, tickets, ticketRoot);
}

function checkedName(name: string): string {
  if (!KEEPER_NAME.test(name)) throw new RangeError("A keeper's name is 1 to 64 letters, digits, dots, dashes and _.");
  return name;
}

function checkedQuestion(question: ReleaseQuestion): ReleaseQuestion {
  const problem = questionProblem(question);
  if (problem !== null) throw new RangeError(problem);
  return question;
}

function linesOf(...lines: readonly (string | number)[]): Uint8Array {
  return utf8ToBytes(lines.map((line) => `${line}\n`).join(''));
}
