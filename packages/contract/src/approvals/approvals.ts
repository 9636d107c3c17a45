import * as z from 'zod/mini';
import { change } from '../activity/activity.ts';
import { list } from '../core/list.ts';
import { choiceFilter } from '../core/list-filters.ts';
import { done, exactPoints, id, NOTE_MAX, points, role, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { route } from '../core/route.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '../core/permissions.ts';
import { APPROVAL_FIELD_TEXTS, APPROVAL_HOURS, APPROVAL_STATES, type ApprovalState } from './approval-texts.ts';

const keysOf = <K extends string>(of: Readonly<Record<K, unknown>>): [K, ...K[]] => Object.keys(of) as [K, ...K[]];

/** Always need an approval. */
export const ALWAYS_APPROVED = ['rules', 'correction'] as const satisfies readonly ApprovalKind[];
type RuledKind = Exclude<ApprovalKind, (typeof ALWAYS_APPROVED)[number]>;

/** Kinds with a switch and an amount. */
export const RULED_KINDS: readonly RuledKind[] = [
  'issue',
  'credit',
  'payment',
  'week',
  'void',
  'pays',
  'commission',
  'lines',
  'guards',
  'clear',
  'restore',
  'export',
];

const kind = z.enum(keysOf<ApprovalKind>(APPROVAL_KINDS));
const ruledKind = z.enum(RULED_KINDS as [RuledKind]);
const state = z.enum(keysOf<ApprovalState>(APPROVAL_STATES));

export const approval = z.object({
  _id: id,
  number: z.number(),
  kind,
  subject: z.string(),
  amount: z.nullable(points),
  askedBy: z.string(),
  askedById: id,
  askedByRole: role,
  askedAt: time,
  expiresAt: time,
  state,
  decidedBy: z.nullable(z.string()),
  /** Null unless the caller or an account below it decided. */
  decidedById: z.nullable(id),
  decidedByRole: z.nullable(role),
  decidedAt: z.nullable(time),
  reason: z.string(),
  /** Changes from the state at the request. */
  changes: z.array(change),
  may: z.enum(['decide', 'withdraw', 'nothing']),
});
export type Approval = z.infer<typeof approval>;

export const approvals = list({
  path: 'approvals',
  summary:
    'Requests for a second person: those of the caller, and those of accounts below it, which it may approve. ' +
    `A waiting request expires after ${APPROVAL_HOURS} hours.`,
  access: STAFF_ROLES,
  permission: 'lists',
  row: approval,
  columns: [
    { name: 'number', kind: 'code', header: 'No', width: 70, yields: 3, value: (row) => String(row.number) },
    { name: 'subject', kind: 'text', header: 'Action', width: 280, grows: true, export: { width: 50 } },
    {
      name: 'kind',
      kind: 'text',
      header: 'Kind',
      width: 180,
      yields: 4,
      value: (row) => APPROVAL_KINDS[row.kind],
      export: { width: 34 },
    },
    { name: 'amount', kind: 'points', header: 'Amount', width: 120, yields: 2, export: { width: 18 } },
    {
      name: 'askedBy',
      kind: 'text',
      header: 'Requested by',
      width: 150,
      about: (row) => ({ kind: 'account', id: row.askedById, role: row.askedByRole }),
      export: { width: 30 },
    },
    { name: 'askedAt', kind: 'time', header: 'Requested', width: 150, sort: true, yields: 1, export: { width: 22 } },
    {
      name: 'state',
      kind: 'text',
      header: 'State',
      width: 110,
      value: (row) => APPROVAL_STATES[row.state],
      export: { width: 14 },
    },
    {
      name: 'decidedBy',
      kind: 'text',
      header: 'Decided by',
      width: 150,
      yields: 2,
      about: (row) =>
        row.decidedById === null ? null : { kind: 'account', id: row.decidedById, role: row.decidedByRole },
      export: { width: 30 },
    },
    { name: 'decidedAt', kind: 'time', header: 'Decided', width: 150, yields: 3, export: { width: 22 } },
  ],
  filters: [
    choiceFilter('state', 'State', APPROVAL_STATES),
    choiceFilter('from', 'From', { others: 'Accounts below', own: 'Me' }),
  ],
  search: APPROVAL_FIELD_TEXTS.search,
  order: '-askedAt',
  file: { name: 'Approvals', sheet: 'Approvals', numbered: true },
});

const approvalId = { approvalId: id };

export const approve = route({
  method: 'POST',
  path: 'approvals/:approvalId/approve',
  summary:
    'Approves a waiting request of another person, which runs it in the name of that person. Both must be allowed to act so ' +
    'now. If the action is refused now, the request keeps waiting.',
  access: STAFF_ROLES,
  permission: null,
  takesMinutes: true,
  sensitive: 'elevation',
  params: approvalId,
  response: z.object({ ...done.shape, data: approval }),
  errors: [
    'NOT_FOUND',
    'ALREADY_DECIDED',
    'RULE_REFUSED',
    'INSUFFICIENT_CREDIT',
    'DAILY_LIMIT',
    'TARGET_INACTIVE',
    'IDEMPOTENCY_CONFLICT',
    'ALREADY_REVERSED',
    'DRAW_STATE',
    'WORK_UNDER_WAY',
    'USERNAME_TAKEN',
    'COMMISSION_LIMIT',
    'GAME_IN_USE',
  ],
});

export const decline = route({
  method: 'POST',
  path: 'approvals/:approvalId/decline',
  summary: 'Declines a waiting request of another person. Nothing is changed.',
  access: STAFF_ROLES,
  permission: null,
  sensitive: false,
  params: approvalId,
  body: z.object({
    reason: z.optional(z.string().check(z.trim(), z.maxLength(NOTE_MAX, { error: CORE_TEXTS.tooLong(NOTE_MAX) }))),
  }),
  response: z.object({ ...done.shape, data: approval }),
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'RULE_REFUSED'],
});

export const withdraw = route({
  method: 'POST',
  path: 'approvals/:approvalId/withdraw',
  summary: 'Withdraws a waiting request of the caller.',
  access: STAFF_ROLES,
  permission: null,
  sensitive: false,
  params: approvalId,
  response: z.object({ ...done.shape, data: approval }),
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
});

const rule = z.object({
  kind: ruledKind,
  /** Actions above these points need an approval; 0: all. Null: none. */
  above: z.nullable(exactPoints(APPROVAL_FIELD_TEXTS.wrongAbove, (above) => above >= 0)),
});
export type ApprovalRule = z.infer<typeof rule>;

export const approvalRules = route({
  method: 'GET',
  path: 'approvalrules/:adminId',
  summary: "Which actions in an admin's network need a second person. With the caller's own id: issuing credit.",
  access: ['superadmin'],
  permission: 'settings',
  params: { adminId: id },
  response: z.object({ ...success, data: z.array(z.object({ kind: ruledKind, above: z.nullable(points) })) }),
  errors: ['NOT_FOUND'],
});

export const setApprovalRules = route({
  method: 'PUT',
  path: 'approvalrules/:adminId',
  summary:
    "Sets which actions in an admin's network need a second person, and above which amount. Weakening a rule needs an " +
    'approval itself.',
  access: ['superadmin'],
  permission: 'settings',
  approval: ['rules'],
  sensitive: 'elevation',
  params: { adminId: id },
  body: z.object({
    rules: z.array(rule, { error: APPROVAL_FIELD_TEXTS.noRules }).check(
      z.minLength(1, { error: APPROVAL_FIELD_TEXTS.noRules }),
      z.maxLength(RULED_KINDS.length, { error: APPROVAL_FIELD_TEXTS.ruleTwice }),
      z.refine((rules) => new Set(rules.map((each) => each.kind)).size === rules.length, {
        error: APPROVAL_FIELD_TEXTS.ruleTwice,
      }),
    ),
  }),
  response: z.object({ ...done.shape, data: z.array(z.object({ kind: ruledKind, above: z.nullable(points) })) }),
  errors: ['NOT_FOUND'],
});
