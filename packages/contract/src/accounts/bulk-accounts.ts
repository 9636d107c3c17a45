import * as z from 'zod/mini';
import { dailyLimit, PASSWORD_LENGTH } from './accounts.ts';
import {
  BULK_BODY_BYTES,
  BULK_MAX,
  bulkRows,
  done,
  id,
  NOTE_MAX,
  ROLES,
  STAFF_ROLES,
  success,
} from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { ACCOUNT_FIELD_TEXTS } from './account-texts.ts';

/** All or nothing. `changed` counts accounts that differed before. */
export const bulkAnswer = z.object({ ...done.shape, changed: z.number() });

export const bulkIds = bulkRows(id, (each) => each);

export const bulkStatus = route({
  method: 'POST',
  path: 'accounts/bulk-status',
  summary: 'Activates or deactivates up to 500 accounts below the caller: all or nothing. An error names the row.',
  access: STAFF_ROLES,
  permission: 'accounts',
  sensitive: 'elevation',
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({
    ids: bulkIds,
    action: z.enum(['activate', 'deactivate'], { error: CORE_TEXTS.wrongAction }),
  }),
  response: bulkAnswer,
  errors: ['NOT_FOUND'],
});

export const bulkDailyLimit = route({
  method: 'POST',
  path: 'accounts/bulk-daily-limit',
  summary: 'Sets the daily limit of up to 500 staff accounts below the caller, or removes it: all or nothing.',
  access: STAFF_ROLES,
  permission: 'accounts',
  approval: ['lines'],
  sensitive: 'elevation',
  bodyLimit: BULK_BODY_BYTES,
  body: z.object({ ids: bulkIds, dailyLimit }),
  response: bulkAnswer,
  errors: ['NOT_FOUND'],
});

/** Fields as text. All but `username` may be empty. */
export const IMPORT_FIELDS = ['username', 'password', 'commission', 'note', 'reference', 'status'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

const cell = (most: number) =>
  z.optional(z.string({ error: CORE_TEXTS.noText }).check(z.maxLength(most, { error: CORE_TEXTS.tooLong(most) })));

const importRow = z.object({
  username: cell(200),
  password: cell(PASSWORD_LENGTH.max),
  commission: cell(200),
  note: cell(NOTE_MAX),
  reference: cell(200),
  status: cell(200),
});
export type ImportRow = z.infer<typeof importRow>;

/** Admins need games, so they are created one by one. */
const IMPORTED_ROLES = ROLES.slice(2) as ['superdistributor', 'distributor', 'retailer', 'user'];
export type ImportedRole = (typeof IMPORTED_ROLES)[number];

const imported = {
  access: STAFF_ROLES,
  permission: 'accounts',
  takesMinutes: true,
  bodyLimit: 2048 * BULK_MAX,
  body: z.object({
    role: z.enum(IMPORTED_ROLES, { error: CORE_TEXTS.oneOf('The role', IMPORTED_ROLES) }),
    rows: z
      .array(importRow, { error: ACCOUNT_FIELD_TEXTS.noRows })
      .check(
        z.minLength(1, { error: ACCOUNT_FIELD_TEXTS.fewRows }),
        z.maxLength(BULK_MAX, { error: ACCOUNT_FIELD_TEXTS.manyRows(BULK_MAX) }),
      ),
    /** Parent of rows without a reference. Defaults to a caller directly above. */
    refId: z.optional(id),
  }),
} as const;

export const checkImport = route({
  ...imported,
  method: 'POST',
  path: 'accounts/check-import',
  summary: 'Answers what an import would refuse in each row. Rows may lack passwords.',
  sensitive: false,
  response: z.object({
    ...done.shape,
    /** `row` counts from 0. */
    problems: z.array(z.object({ row: z.number(), field: z.string(), message: z.string() })),
  }),
  errors: ['NOT_FOUND', 'COMMISSION_LIMIT'],
});

export const importAccounts = route({
  ...imported,
  method: 'POST',
  path: 'accounts/import',
  summary: 'Creates up to 500 accounts of one level: all or nothing.',
  approval: ['commission'],
  sensitive: 'elevation',
  response: z.object({
    ...done.shape,
    accounts: z.array(
      z.object({ _id: id, username: z.string(), uniqueId: z.string(), reference: z.nullable(z.string()) }),
    ),
  }),
  errors: ['USERNAME_TAKEN', 'NOT_FOUND', 'COMMISSION_LIMIT', 'IDEMPOTENCY_CONFLICT'],
});

export const IMPORT_STEPS = ['check', 'hash', 'write'] as const;

export const importProgress = route({
  method: 'GET',
  path: 'accounts/import-progress',
  summary: "Progress of the caller's running import; null if this server process runs none.",
  access: STAFF_ROLES,
  permission: 'accounts',
  query: z.object({
    /** The `Idempotency-Key` of the import. */
    key: z.string({ error: CORE_TEXTS.noText }).check(z.maxLength(200, { error: CORE_TEXTS.tooLong(200) })),
  }),
  response: z.object({
    ...success,
    /** Step with its rows done. Passwords are checked and hashed before the transaction that writes all accounts. */
    progress: z.nullable(z.object({ step: z.enum(IMPORT_STEPS), done: z.number(), total: z.number() })),
  }),
});
