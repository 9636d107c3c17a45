import * as z from 'zod/mini';
import { newPassword } from '../accounts/accounts.ts';
import { CORE_TEXTS } from '../core/field-texts.ts';
import { done, id, STAFF_ROLES, success, time } from '../core/primitives.ts';
import { route } from '../core/route.ts';
import { sealedOr } from './auth.ts';
import { FACTOR_FIELD_TEXTS } from './auth-texts.ts';

const made = z.object({ ...done.shape, invitation: z.string(), expiresAt: time });

export const inviteLogin = route({
  method: 'POST',
  path: 'logins/:number/invitation',
  summary:
    "Invites the person of a login of the caller's account to choose a password: returns a secret that works once, " +
    'within 7 days. Ends the present password, the sessions and earlier invitations.',
  access: STAFF_ROLES,
  permission: 'logins',
  sensitive: 'elevation',
  params: { number: z.string().check(z.regex(/^[1-9]\d{0,4}$/, { error: CORE_TEXTS.wholeNumber(1, 32_767) })) },
  response: made,
  errors: ['NOT_FOUND'],
});

export const inviteAccount = route({
  method: 'POST',
  path: 'invitations/:accountId',
  summary: 'Invites the owner of a staff account below the caller, as for a login.',
  access: STAFF_ROLES,
  permission: 'accounts',
  sensitive: 'elevation',
  params: { accountId: id },
  response: made,
  errors: ['NOT_FOUND'],
});

const invitation = sealedOr(FACTOR_FIELD_TEXTS.invitationIncomplete);

export const readInvitation = route({
  method: 'POST',
  path: 'auth/invitation',
  summary: 'Whom an invitation is for. CHALLENGE_ENDED if it was used, replaced or is too old.',
  access: 'public',
  sensitive: false,
  body: z.object({ invitation }),
  response: z.object({ ...success, username: z.string(), name: z.nullable(z.string()), expiresAt: time }),
  errors: ['CHALLENGE_ENDED', 'OTHER_CELL'],
});

export const acceptInvitation = route({
  method: 'POST',
  path: 'auth/invitation/accept',
  summary: 'Lets an invited person choose a password, and then sign in with it.',
  access: 'public',
  sensitive: false,
  body: z.object({ invitation, password: newPassword }),
  response: z.object({ ...done.shape, username: z.string() }),
  errors: ['CHALLENGE_ENDED', 'OTHER_CELL'],
});
