import { CORE_TEXTS } from '@drawhouse/contract/core/field-texts';
import { ERRORS } from '@drawhouse/contract/core/errors';
import type { Actor } from '../../accounts/authority.ts';
import { appendActivity } from '../../activity/append-activity.ts';
import { inNetwork } from '../../activity/network-work/network-work.ts';
import { authorOf, runCommandDuringRestore } from '../../activity/run-command.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { openElevation } from './elevations.ts';
import { addressKey } from '../../platform/http/request/address.ts';
import { attempt, type Count } from '../attempts/attempts.ts';
import { hasSignedInFrom, rememberedSince } from '../attempts/sign-in-history.ts';
import { lockIfPasswordUnchanged, passwordHashOf } from '../logins/own-password.ts';
import { personKey } from '../logins/person.ts';
import { checkFactor, type FactorProof } from '../factors/check-factor.ts';
import { ownSite } from '../factors/passkeys.ts';
import { openConfirmation } from '../factors/second-step.ts';
import type { FactorVault } from '../factors/factor-vault.ts';
import { isFactorNeeded } from '../factors/factors.sql.ts';
import { inTurn, verifyPassword } from './password.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { AUTH_TEXTS, AUTH_SUBJECTS } from '../auth-texts.ts';

interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  readonly passkey?: string | undefined;
  readonly challenge?: string | undefined;
}

/** Returns the elevation's secret. Opens nothing if the password changes before commit. */
export async function elevate(
  services: Services,
  vault: FactorVault,
  call: Call<Actor>,
  proof: Proof,
): Promise<string> {
  const { password } = proof;
  const { actor, origin } = call;
  if (await isFactorNeeded(services.db, actor)) {
    await checkFactor(services, vault, { ...actor, origin }, factorProof(services, vault, call, proof));
    return runCommandDuringRestore(services, call, async (tx, at) => ({
      result: await openElevation(tx, call.sessionId, at),
      subject: AUTH_SUBJECTS.factorConfirmed,
    }));
  }
  if (password === undefined)
    throw new CallError('INVALID_INPUT', { fields: { password: CORE_TEXTS.passwordMissing } });
  const hash = await confirmPassword(services, call, password);
  return runCommandDuringRestore(services, call, async (tx, at) => {
    // Lock order: account before session, like password changes.
    if (!(await lockIfPasswordUnchanged(tx, actor, hash))) throw wrongPassword('password');
    return { result: await openElevation(tx, call.sessionId, at), subject: AUTH_SUBJECTS.confirmed };
  });
}

function factorProof(
  services: Services,
  vault: FactorVault,
  { actor, header }: Call<Actor>,
  { code, passkey, challenge }: Proof,
): FactorProof {
  if (code !== undefined) return { code };
  if (passkey === undefined || challenge === undefined) throw new CallError('CONFIRM_FACTOR');
  const since = openConfirmation(services, vault, actor, challenge);
  return { answer: passkey, challenge, since, site: ownSite(services, header) };
}

/** Returns the matching hash. Logs failures like failed sign-ins. */
export async function confirmPassword(
  services: Services,
  call: Call<Actor>,
  password: string,
  field = 'password',
): Promise<string> {
  try {
    return await requirePassword(services, call, password, field);
  } catch (error) {
    if (error instanceof CallError && error.code === 'WRONG_PASSWORD') await logRefusal(services, call);
    throw error;
  }
}

async function logRefusal(services: Services, { actor, origin }: Call<Actor>): Promise<void> {
  const subject = AUTH_SUBJECTS.confirmationRefused(ERRORS.WRONG_PASSWORD.message);
  await inNetwork(services.db, actor.networkId, (tx) =>
    appendActivity(tx, actor.networkId, services, [{ ...authorOf(actor), subject, origin }]),
  );
}

/**
 * Returns the matching hash. API keys and approved requests need no password. Counts failures separately from sign-ins
 * and serializes checks per account.
 */
export async function requirePassword(
  services: Services,
  { actor, origin, guard }: Call<Actor>,
  password: string,
  field = 'password',
): Promise<string> {
  const { db, clock } = services;
  if (actor.apiKey) requireBoundedKey(actor);
  if (actor.apiKey || guard?.approval !== undefined) return (await passwordHashOf(db, actor)) ?? '';
  const address = addressKey(origin.ip);
  const [row] = await db.query<{ known: boolean }>(
    sql`select ${hasSignedInFrom(actor, address, rememberedSince(clock.now()))} as known`,
  );
  // Separate from sign-in counts, so guessing at the same address does not block signed-in users.
  const counts: Count[] = [{ scope: 'pair', subject: `${personKey(actor)} ${address} in session` }];
  if (!row?.known) counts.push({ scope: 'session', subject: personKey(actor) });
  const as = { networkId: actor.networkId, ...authorOf(actor), origin };
  let hash: string | null = null;
  const right = await inTurn({ lane: 'session', key: personKey(actor) }, () =>
    attempt(services, counts, as, async () => {
      // Read in turn, so a password replaced meanwhile is rejected.
      hash = await passwordHashOf(db, actor);
      return verifyPassword(password, hash);
    }),
  );
  if (hash === null || !right) throw wrongPassword(field);
  return hash;
}

export function requireBoundedKey({ apiKey }: Actor): void {
  if (apiKey && !apiKey.isBounded) throw new CallError('NOT_ALLOWED', { message: AUTH_TEXTS.unboundedKey });
}

export function wrongPassword(field: string): CallError {
  return new CallError('WRONG_PASSWORD', { fields: { [field]: AUTH_TEXTS.wrongPassword } });
}
