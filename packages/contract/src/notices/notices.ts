import * as z from 'zod/mini';
import { day, id, ROLES, STAFF_ROLES, success, time, type Role } from '../core/primitives.ts';
import { route } from '../core/route.ts';

export const NOTICE_CODES = [
  'RESULT_TO_CONFIRM',
  'OUTSIDE_RESULT_DUE',
  'APPROVAL_WAITING',
  'SIGN_INS_REFUSED',
  'ACCOUNTS_OWE',
  'YOU_OWE',
  'WEEK_DISPUTED',
  'DISPUTE_ANSWERED',
  'ORDER_SKIPPED',
  'ORDER_ENDED',
  'SELLING_STOPPED',
  'TABLE_LOW',
  'WORST_CASE_HIGH',
  'RETURNS_OUTSIDE',
  'SEED_KEY_IN_DATA_DIR',
  'SEED_KEY_READABLE',
  'DATABASE_ROLE',
  'BEACON_AWAY',
  'CLOCK_SET_BACK',
  'SEALS_STOPPED',
  'CHANGED_UNLOGGED',
  'CHECKPOINT_FORGED',
  'SEALED_BY_ITSELF',
  'WITNESS_SILENT',
  'BACKUP_FAILED',
  'BACKUP_UNSCHEDULED',
  'BACKUP_OVERDUE',
  'HISTORY_CLEARED',
  'NETWORK_RESTORED',
  'AUDIT_FAILED',
  'AUDIT_OVERDUE',
  'DISK_NEARLY_FULL',
  'DRAWS_LATE',
  'SETTLEMENT_LATE',
  'TABLE_BELOW_ZERO',
  'CLOCK_STEPPED',
  'DATABASE_RESTARTED',
  'DATABASE_REFUSES_WRITES',
  'SLOT_UNREAD',
  'CREDIT_WAITS',
  'CATALOGUE_BEHIND',
  'WEBHOOK_UNANSWERED',
] as const;
export type NoticeCode = (typeof NOTICE_CODES)[number];

/**
 * `admin`: network. `about`: one of several objects. `account`: the one that `about` names. `last`: time it was last
 * right. `table`: live panel with the remedy. `day`: first day of the week it is about.
 */
export interface FoundNotice {
  readonly code: NoticeCode;
  readonly since?: string;
  readonly about?: string;
  readonly account?: { readonly id: string; readonly role: Role };
  readonly until?: string;
  readonly admin?: string;
  readonly detail?: string;
  readonly last?: string | null;
  readonly table?: { readonly gameId: string; readonly adminId: string };
  readonly day?: string;
}

export const noticeCode = z.enum(NOTICE_CODES);

/** Identifies a current notice. */
export const noticeKey = { code: noticeCode, key: z.string() };

export const listNotices = route({
  method: 'GET',
  path: 'notices',
  summary:
    "Current notices about the server's setup and operation, about the backups of the caller's networks, and about what " +
    'the caller owes or is owed, disputes of its weeks and its standing orders; empty when all is well.',
  access: STAFF_ROLES,
  permission: 'notices',
  response: z.object({
    ...success,
    data: z.array(
      z.object({
        ...noticeKey,
        title: z.string(),
        text: z.string(),
        since: z.optional(time),
        until: z.optional(time),
        about: z.optional(z.string()),
        account: z.optional(z.object({ id, role: z.enum(ROLES) })),
        admin: z.optional(z.string()),
        /** Id of the admin named by `admin`, else by `about`, if below the caller. */
        adminId: z.optional(id),
        detail: z.optional(z.string()),
        /** Last success of an overdue task. Null: never. */
        last: z.optional(z.nullable(time)),
        table: z.optional(z.object({ gameId: z.string(), adminId: id })),
        /** First day of the week it is about. */
        day: z.optional(day),
        /** `until` null: acknowledged; else snoozed. Ends with the notice. */
        mark: z.optional(z.object({ at: time, until: z.nullable(time) })),
      }),
    ),
    /** Superadmins only. Null if `NOTIFY_URL` is unset. */
    webhook: z.optional(z.nullable(z.object({ to: z.string() }))),
  }),
});

export const testWebhook = route({
  method: 'POST',
  path: 'notices/test',
  summary:
    'Sends one test message to the notice webhook, and returns the status of the answer and after how many ' +
    'milliseconds it came. RULE_REFUSED if NOTIFY_URL is not set, THROTTLED within ten seconds after another one.',
  access: ['superadmin'],
  permission: 'settings',
  errors: ['RULE_REFUSED'],
  sensitive: false,
  response: z.object({
    ...success,
    message: z.string(),
    /** True for status 200 to 299. */
    isTaken: z.boolean(),
    /** Null without an answer. */
    status: z.nullable(z.number()),
    tookMs: z.number(),
  }),
});
