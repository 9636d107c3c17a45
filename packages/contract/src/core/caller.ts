import * as z from 'zod/mini';
import { id } from './primitives.ts';
import { CORE_TEXTS } from './field-texts.ts';

export type CallerClaim = 'id' | 'role' | 'account';

/**
 * Clients may name the signed-in account in these fields, for compatibility. The session decides; a field naming
 * another account is refused (IDENTITY_MISMATCH).
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
