import * as z from 'zod/mini';
import { hundredthsOf } from './hundredths.ts';
import { ROLES } from './roles.ts';

/** A text that must be there: trimmed, not empty. `message` is what the field says when it is missing. */
export function requiredText(message: string, maxLength = 200) {
  return z
    .string({ error: message })
    .check(
      z.trim(),
      z.minLength(1, { error: message }),
      z.maxLength(maxLength, { error: `Use at most ${maxLength} characters` }),
    );
}

/** The most characters of a note. */
export const NOTE_MAX = 500;

/** An id of this system: a UUID in its usual text form; one in capitals is the same, and read as such. */
export const id = z.uuid({ error: 'An id looks like 0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d' }).check(z.toLowerCase());

/** A point in time: ISO 8601 in UTC with milliseconds. There is no year 0. */
export const time = z.iso
  .datetime({ error: 'Write a time as 2026-01-31T18:30:00.000Z' })
  .check(z.refine((text) => text >= '0001', { error: 'Write a time as 2026-01-31T18:30:00.000Z' }));

/** Whether a text names a time zone: by IANA, or by an offset. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A time zone by its IANA name, in which an exported file writes its times. */
export const timeZone = z
  .string()
  .check(z.refine(isTimeZone, { error: 'Write a time zone by its IANA name, such as Asia/Kolkata' }));

/** A day of the calendar, as 2026-01-31. */
export const day = z.iso
  .date({ error: 'Write a day as 2026-01-31' })
  .check(z.refine((text) => text >= '0001', { error: 'Write a day as 2026-01-31' }));

/** A day of the calendar, or an instant for the day that it lies in. */
export const dayOrInstant = z.union([day, time], {
  error: 'Write a day as 2026-01-31, or a time as 2026-01-31T18:30:00.000Z',
});

const PLAIN_AMOUNT = 'Write an amount above 0 as plain digits with at most 2 decimals, such as 12.50';

/**
 * An amount of points above zero: a plain number with at most two decimals, below 2^53 hundredths. The texts say what is wrong
 * where it is missing, no number, or not above zero; the specification has its own for each form.
 */
export function amountOf(texts: { missing: string; notNumber: string; notAboveZero: string }) {
  return z.number({ error: ({ input }) => (input === undefined ? texts.missing : texts.notNumber) }).check(
    z.refine((points) => (hundredthsOf(points) ?? 0n) > 0n, {
      error: ({ input }) => ((input as number) > 0 ? PLAIN_AMOUNT : texts.notAboveZero),
    }),
  );
}

const NUMBER_AMOUNT = 'Write an amount above 0 as a number, such as 12.50';

/** An amount of points of a call that the specification has no texts for. */
export const amount = amountOf({ missing: NUMBER_AMOUNT, notNumber: NUMBER_AMOUNT, notAboveZero: PLAIN_AMOUNT });

/** Points in an answer: may be negative, at most two decimals, every digit on the wire. From 2^46 points on an {@link ExactPoints}. */
export const points = z.number();

/** A percentage from 0 to 100 with at most two decimals. */
export const percent = z.number({ error: 'Write a percentage as a number from 0 to 100' }).check(
  z.refine((value) => value <= 100 && hundredthsOf(value) !== null, {
    error: 'Write a percentage from 0 to 100 with at most 2 decimals',
  }),
);

export {
  ExactPoints,
  hundredthsIn,
  hundredthsOf,
  MAX_HUNDREDTHS,
  parseExactly,
  percentHundredthsOf,
  percentOf,
  percentOfShare,
  pointsOf,
  pointsText,
  sumPoints,
} from './hundredths.ts';
export type { Hundredths } from './hundredths.ts';
export { ROLES, roleAbove, roleBelow, STAFF_ROLES } from './roles.ts';
export type { Role } from './roles.ts';

/** A role on the wire. */
export const role = z.enum(ROLES, { error: `A role is one of ${ROLES.join(', ')}` });

/** What every successful answer says, with the answer's own fields beside it. */
export const success = { success: z.literal(true), message: z.optional(z.string()) };

/** The answer of a call that changed something and has a sentence to say so. */
export const done = z.object({ success: z.literal(true), message: z.string() });

/** Why something was refused. */
export const refusal = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  shortfall: z.optional(points),
});
/** Why something was refused: `fields` names each wrong field and what would be right, `shortfall` how many points are lacking. */
export type Refusal = z.infer<typeof refusal>;

/** A failed answer, the same for every route. */
export const failure = z.object({ ...refusal.shape, requestId: z.string() });
/** A failed answer: why it was refused, and the id by which the server's log has the call. */
export type Failure = z.infer<typeof failure>;

/**
 * The query of a list. With none of these the answer is the whole list up to 10,000 rows; with any, one page and the total.
 * Queries come as text, so numbers are read from it.
 */
export const listQuery = {
  page: z.optional(wholeNumber(1, 1_000_000)),
  pageSize: z.optional(wholeNumber(1, 500)),
  search: z.optional(z.string().check(z.trim(), z.maxLength(100, { error: 'Search for at most 100 characters' }))),
  sort: z.optional(
    z.string().check(z.regex(/^-?[A-Za-z]+$/, { error: 'Sort by a field name, with - in front for descending' })),
  ),
};

/** A whole number in a query, from its text. */
export function wholeNumber(min: number, max: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, { error: `Write a whole number from ${min} to ${max}` })),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z
        .number()
        .check(
          z.gte(min, { error: `Write a whole number from ${min} to ${max}` }),
          z.lte(max, { error: `Write a whole number from ${min} to ${max}` }),
        ),
    ),
  );
}
