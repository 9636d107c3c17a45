import * as z from 'zod/mini';
import { id } from './primitives.ts';

/** What a field says of whoever calls: its id, its role, or the account as sign-in answered it. */
export type CallerClaim = 'id' | 'role' | 'account';

/**
 * The fields by which clients name the signed-in account. They are taken for compatibility alone: every call is judged by its
 * session, and one that names another account is refused (IDENTITY_MISMATCH). A schema below is used wherever a field says so.
 */
export const callerClaims = z.registry<{ claim: CallerClaim }>();

/** The caller's id, where a client sends it. */
export const ownId = z.optional(id).register(callerClaims, { claim: 'id' });

/** The caller's id as a part of the path. */
export const ownIdInPath = id.clone().register(callerClaims, { claim: 'id' });

/** The caller's role, where a client sends it. */
export const ownRole = z.optional(z.string()).register(callerClaims, { claim: 'role' });

/** The caller as sign-in answered it, or its id or username alone, where a client sends it. */
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
      { error: 'Give the signed-in account as sign-in answered it, or its id' },
    ),
  )
  .register(callerClaims, { claim: 'account' });
/** What a client may say of the signed-in account. */
export type OwnAccount = z.infer<typeof ownAccount>;
