import * as z from 'zod/mini';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { requireAllowedPlace } from '../logins/allowed-place.ts';
import type { Person } from '../logins/person.ts';
import type { FactorKind } from '@drawhouse/contract/auth/factors';
import { isRemembered, markOf } from './remembered-devices.ts';
import { isFactorNeeded, readFactors } from './factors.sql.ts';
import { requestOptions, type PasskeyAnswer } from './passkeys.ts';
import { openChallenge, sealChallenge } from './challenge.ts';
import type { FactorVault } from './factor-vault.ts';

const confirmation = z.object({ id: z.string(), login: z.number() });
const secondStep = z.object({ username: z.string(), passwordMark: z.string(), elevation: z.boolean() });

/**
 * Throws SECOND_FACTOR with a challenge for {@link openSecondStep} if the person has a second factor. Returns true if
 * the remembered device replaced it. Refuses wrong places first, so a stolen password is noticed.
 */
export async function requireSecondStep(
  services: Services,
  vault: FactorVault,
  person: Person & { readonly signsInAs: string; readonly password_hash: string },
  { elevation, device, ip }: { readonly elevation: boolean; readonly device: Buffer | null; readonly ip: string },
): Promise<boolean> {
  const { db, timeZone } = services;
  const at = services.clock.now();
  if (!(await isFactorNeeded(db, person))) return false;
  if (await isRemembered(db, person, device, at)) return true;
  await requireAllowedPlace(db, person, ip, { at, timeZone });
  const step: z.infer<typeof secondStep> = {
    username: person.signsInAs,
    passwordMark: markOf(person.password_hash),
    elevation,
  };
  throw new CallError('SECOND_FACTOR', { challenge: sealChallenge(services, vault, 'signIn', step) });
}

/** Returns the sign-in and the time of its correct password. */
export function openSecondStep(
  services: Services,
  vault: FactorVault,
  challenge: string,
): z.infer<typeof secondStep> & { readonly at: Date } {
  const { at, content } = openChallenge(services, vault, 'signIn', { challenge, schema: secondStep });
  return { ...content, at };
}

interface Offered {
  readonly kinds: FactorKind[];
  readonly passkey?: Record<string, unknown>;
}

/** Passkeys work on their own host only. */
export async function offerFactors(
  { db }: Services,
  person: Person,
  { site, challenge }: Pick<PasskeyAnswer, 'site' | 'challenge'>,
): Promise<Offered> {
  const factors = await readFactors(db, person);
  const passkey = await requestOptions(factors, site, challenge);
  const kinds = new Set(factors.map(({ kind }) => kind));
  if (!passkey) kinds.delete('passkey');
  return { kinds: [...kinds], ...(passkey && { passkey }) };
}

export function sealConfirmation(services: Services, vault: FactorVault, { id, login }: Person): string {
  return sealChallenge(services, vault, 'confirm', { id, login });
}

export function openConfirmation(services: Services, vault: FactorVault, person: Person, challenge: string): Date {
  const { at, content } = openChallenge(services, vault, 'confirm', { challenge, schema: confirmation });
  if (content.id !== person.id || content.login !== person.login) throw new CallError('CHALLENGE_ENDED');
  return at;
}
