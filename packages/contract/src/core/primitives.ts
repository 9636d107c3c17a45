import * as z from 'zod/mini';
import { hundredthsOf } from './hundredths.ts';
import { ROLES } from './roles.ts';
import { CORE_TEXTS } from './field-texts.ts';

export function requiredText(message: string, maxLength = 200) {
  return z
    .string({ error: message })
    .check(
      z.trim(),
      z.minLength(1, { error: message }),
      z.maxLength(maxLength, { error: CORE_TEXTS.tooLong(maxLength) }),
    );
}

export const NOTE_MAX = 500;

/** Returned in lower case. */
export const id = z.uuid({ error: CORE_TEXTS.wrongId }).check(z.toLowerCase());

/** As many as the largest list page. */
export const BULK_MAX = 500;

/** Each row has an id and an amount. */
export const BULK_BODY_BYTES: number = 96 * BULK_MAX + 4096;

export function bulkRows<S extends z.ZodMiniType>(row: S, idOf: (row: z.output<S>) => string) {
  return z.array(row, { error: CORE_TEXTS.noAccounts }).check(
    z.minLength(1, { error: CORE_TEXTS.chooseAccounts }),
    z.maxLength(BULK_MAX, { error: CORE_TEXTS.tooManyAccounts(BULK_MAX) }),
    z.refine((rows) => new Set(rows.map(idOf)).size === rows.length, { error: CORE_TEXTS.accountTwice }),
  );
}

/** UTC with milliseconds. Year 0 is invalid. */
export const time = z.iso
  .datetime({ error: CORE_TEXTS.wrongTime })
  .check(z.refine((text) => text >= '0001', { error: CORE_TEXTS.wrongTime }));

/** Accepts IANA names and offsets. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const timeZone = z.string().check(z.refine(isTimeZone, { error: CORE_TEXTS.wrongTimeZone }));

export const day = z.iso
  .date({ error: CORE_TEXTS.wrongDay })
  .check(z.refine((text) => text >= '0001', { error: CORE_TEXTS.wrongDay }));

export const dayOrInstant = z.union([day, time], {
  error: CORE_TEXTS.wrongDayOrTime,
});

/** Accepts amounts above zero with at most two decimals, below 2^53 hundredths. */
export function amountOf(texts: { missing: string; notNumber: string; notAboveZero: string }) {
  return z.number({ error: ({ input }) => (input === undefined ? texts.missing : texts.notNumber) }).check(
    z.refine((points) => (hundredthsOf(points) ?? 0n) > 0n, {
      error: ({ input }) => ((input as number) > 0 ? CORE_TEXTS.plainAmount : texts.notAboveZero),
    }),
  );
}

export const amount = amountOf({
  missing: CORE_TEXTS.numberAmount,
  notNumber: CORE_TEXTS.numberAmount,
  notAboveZero: CORE_TEXTS.plainAmount,
});

/** A whole JSON number; the text of the error fits each way to be wrong. */
export function integer(min: number, max: number, error: string) {
  return z.number({ error }).check(z.multipleOf(1, { error }), z.gte(min, { error }), z.lte(max, { error }));
}

/** Points with at most two decimals. */
export function exactPoints(error: string, isAllowed: (points: number) => boolean = () => true) {
  return z.number({ error }).check(z.refine((value) => hundredthsOf(value) !== null && isAllowed(value), { error }));
}

/** Allows negatives. Above 2^46, an {@link ExactPoints}. */
export const points = z.number();

/** At most two decimals. */
export const percent = z.number({ error: CORE_TEXTS.wrongPercentage }).check(
  z.refine((value) => value <= 100 && hundredthsOf(value) !== null, {
    error: CORE_TEXTS.exactPercentage,
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

export const role = z.enum(ROLES, { error: CORE_TEXTS.oneOf('A role', ROLES) });

/** An account as rows of other features name it. */
export const namedAccount = z.object({ id, username: z.string(), role });

export const success = { success: z.literal(true), message: z.optional(z.string()) };

export const done = z.object({ success: z.literal(true), message: z.string() });

export const refusal = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  shortfall: z.optional(points),
  cell: z.optional(z.string()),
  challenge: z.optional(z.string()),
  approval: z.optional(id),
});
/**
 * `shortfall`: missing points. `challenge`: for `auth/factor`. `approval`: the request that waits for a second person.
 */
export type Refusal = z.infer<typeof refusal>;

/** `requestId` finds the call in the server log. */
export const failure = z.object({ ...refusal.shape, requestId: z.string() });
export type Failure = z.infer<typeof failure>;

/** Without any of these, a list returns up to 10,000 rows. */
export const listQuery = {
  page: z.optional(wholeNumber(1, 1_000_000)),
  pageSize: z.optional(wholeNumber(1, 500)),
  search: z.optional(z.string().check(z.trim(), z.maxLength(100, { error: CORE_TEXTS.searchTooLong(100) }))),
  sort: z.optional(z.string().check(z.regex(/^-?[A-Za-z]+$/, { error: CORE_TEXTS.wrongSortField }))),
};

export function wholeNumber(min: number, max: number) {
  return z.pipe(
    z.string().check(z.regex(/^\d{1,9}$/, { error: CORE_TEXTS.wholeNumber(min, max) })),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z
        .number()
        .check(
          z.gte(min, { error: CORE_TEXTS.wholeNumber(min, max) }),
          z.lte(max, { error: CORE_TEXTS.wholeNumber(min, max) }),
        ),
    ),
  );
}

/** Null: no history of the period was cleared. */
export const clearedNote = { cleared: z.nullable(z.string()) };

/** 20 admins × 32 games, plus half as many again. */
const MOST_UPDATES = 1000;
/** Room for every field at its longest. */
export const UPDATES_BODY_BYTES: number = 160 * MOST_UPDATES + 1024;

export function updatesOf<S extends z.ZodMiniType>(update: S) {
  return z
    .array(update, { error: CORE_TEXTS.noUpdates })
    .check(
      z.minLength(1, { error: CORE_TEXTS.fewUpdates }),
      z.maxLength(MOST_UPDATES, { error: CORE_TEXTS.manyUpdates(MOST_UPDATES) }),
    );
}

/** Never trimmed: outer blanks belong to the password. */
export const ownPassword = z
  .string({ error: CORE_TEXTS.passwordMissing })
  .check(z.minLength(1, { error: CORE_TEXTS.passwordMissing }), z.maxLength(200, { error: CORE_TEXTS.tooLong(200) }));

export type CallerClaim = 'id' | 'role' | 'account';

/**
 * The spec's clients name the signed-in account in these fields. The session decides; a field naming another account
 * is refused (IDENTITY_MISMATCH).
 */
export const callerClaims = z.registry<{ claim: CallerClaim }>();

export const ownId = z.optional(id).register(callerClaims, { claim: 'id' });

export const ownIdInPath = id.clone().register(callerClaims, { claim: 'id' });

export const ownRole = z.optional(z.string()).register(callerClaims, { claim: 'role' });

/** Sign-in's answer, or its id or username. */
export const ownAccount = z
  .optional(
    z.union(
      [
        z.string(),
        z.looseObject({
          _id: z.optional(z.string()),
          id: z.optional(z.string()),
          username: z.optional(z.string()),
          role: z.optional(z.string()),
        }),
      ],
      { error: CORE_TEXTS.wrongCaller },
    ),
  )
  .register(callerClaims, { claim: 'account' });
export type OwnAccount = z.infer<typeof ownAccount>;
