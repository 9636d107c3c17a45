import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import type { Person } from '../logins/person.ts';
import { isFactorNeeded } from './factors.sql.ts';
import { openChallenge, sealChallenge } from './challenge.ts';
import type { FactorVault } from './factor-vault.ts';

const secondStep = z.object({ username: z.string(), passwordMark: z.string(), elevation: z.boolean() });

/** Throws SECOND_FACTOR with a challenge for {@link openSecondStep}, if the person has a second factor. */
export async function requireSecondStep(
  services: Services,
  vault: FactorVault,
  person: Person & { readonly signsInAs: string; readonly password_hash: string },
  elevation: boolean,
): Promise<void> {
  if (!(await isFactorNeeded(services.db, person))) return;
  const step: z.infer<typeof secondStep> = {
    username: person.signsInAs,
    passwordMark: markOf(person.password_hash),
    elevation,
  };
  throw new CallError('SECOND_FACTOR', { challenge: sealChallenge(services, vault, 'signIn', step) });
}

/** Reads the sign-in whose password was right. Throws CHALLENGE_ENDED or OTHER_CELL. */
export function openSecondStep(services: Services, vault: FactorVault, challenge: string): z.infer<typeof secondStep> {
  return openChallenge(services, vault, 'signIn', { challenge, schema: secondStep });
}

/** Tells whether a password is still the same, without its hash. */
export function markOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64');
}
