import { callerClaims, type CallerClaim, type OwnAccount, type Role } from '@drawhouse/contract/core/primitives';
import { ERRORS } from '@drawhouse/contract/core/errors';
import type { Route } from '@drawhouse/contract/core/route';
import type * as z from 'zod/mini';
import { CallError } from '../../platform/http/http-errors.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import type { Actor } from '../authority.ts';
import { ACCOUNT_TEXTS } from '../accounts-texts.ts';

const PARTS = ['params', 'query', 'body'] as const;

interface Claim {
  readonly part: (typeof PARTS)[number];
  readonly field: string;
  readonly claim: CallerClaim;
}

export function identityFieldsOf(route: Route): readonly Claim[] {
  return PARTS.flatMap((part) => {
    const given = route[part] ?? {};
    const fields = part === 'params' ? given : ((given as Partial<z.ZodMiniObject>).shape ?? {});
    return Object.entries(fields as Readonly<Record<string, z.ZodMiniType>>).flatMap(([field, schema]): Claim[] => {
      const marked = callerClaims.get(schema);
      return marked ? [{ part, field, claim: marked.claim }] : [];
    });
  });
}

/** These fields serve only this check. */
export function rejectIdentityMismatch(bound: BoundRoute<Actor>): BoundRoute<Actor> {
  const claims = identityFieldsOf(bound.route);
  if (claims.length === 0) return bound;
  return {
    ...bound,
    async handler(input, call) {
      const parts = input as Readonly<Record<Claim['part'], Readonly<Record<string, unknown>> | undefined>>;
      const foreign = claims.filter(({ part, field, claim }) => !isOwn(call.actor, claim, parts[part]?.[field]));
      if (foreign.length > 0) throw identityMismatch(foreign.map(({ field }) => field));
      return bound.handler(input, call);
    },
  };
}

export function requireRoleOf(actor: Actor, targetRole: Role, role: string | undefined): void {
  if (role !== undefined && role !== actor.role && role !== targetRole) throw identityMismatch(['role']);
}

function identityMismatch(fields: readonly string[]): CallError {
  const right = ACCOUNT_TEXTS.wrongIdentity;
  return new CallError('IDENTITY_MISMATCH', {
    message: ERRORS.IDENTITY_MISMATCH.message,
    fields: Object.fromEntries(fields.map((field) => [field, right])),
  });
}

function isOwn(actor: Actor, claim: CallerClaim, value: unknown): boolean {
  if (value === undefined) return true;
  if (claim === 'id') return value === actor.id;
  if (claim === 'role') return value === actor.role;
  const account = value as NonNullable<OwnAccount>;
  if (typeof account === 'string') return account === actor.id || isName(actor, account);
  const { _id = actor.id, id = actor.id, username = actor.username, role = actor.role } = account;
  return _id === actor.id && id === actor.id && role === actor.role && isName(actor, username);
}

function isName(actor: Actor, name: string): boolean {
  return name.toLowerCase() === actor.username.toLowerCase();
}
