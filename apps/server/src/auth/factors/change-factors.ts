import { FACTORS_MAX, type Factor } from '@drawhouse/contract/auth/factors';
import * as z from 'zod/mini';
import type { Actor } from '../../accounts/authority.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { noticeTo } from '../../activity/own-notices.ts';
import { runCommandDuringRestore } from '../../activity/run-command.ts';
import type { Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Person } from '../logins/person.ts';
import { AUTH_SUBJECTS, AUTH_TEXTS } from '../auth-texts.ts';
import { endOtherElevations } from '../passwords/elevations.ts';
import { announceMoved } from '../sessions/sessions.ts';
import { openChallenge, sealChallenge } from './challenge.ts';
import { boundTo, stepOf } from './check-factor.ts';
import type { FactorVault } from './factor-vault.ts';
import { creationOptions, ownSite, passkeyHost, readNewPasskey } from './passkeys.ts';
import { forgetDevices } from './remembered-devices.ts';
import { deleteFactors, insertFactor, readFactors } from './factors.sql.ts';
import { countCodes, makeCodes, plainCode } from './recovery-codes.ts';

const passkeySetupOf = z.object({ id: z.string(), login: z.number() });
const setupOf = z.object({ id: z.string(), login: z.number(), secret: z.string() });

export async function listOwn({ db }: Services, { actor }: Call<Actor>): Promise<Factor[]> {
  return (await readFactors(db, actor)).map(({ number, kind, name, madeAt, lastUsedAt, secret }) => ({
    number,
    kind,
    name,
    madeAt: madeAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    ...(kind === 'codes' && { codesLeft: countCodes(secret) }),
  }));
}

export interface AppSetup {
  readonly setup: string;
  readonly secret: string;
  readonly uri: string;
  readonly qr: string;
}

/** Stores nothing: the client carries the encrypted secret to {@link addApp}. `issuer` names the house in the app. */
export async function beginApp(
  services: Services,
  vault: FactorVault,
  { actor }: Call<Actor>,
  issuer: string,
): Promise<AppSetup> {
  const [{ generateSecret, generateURI }, { toString: drawQr }] = await Promise.all([
    import('otplib'),
    import('qrcode').then((module) => module.default),
  ]);
  const { id, login } = actor;
  const secret = generateSecret();
  const uri = generateURI({ issuer, label: actor.username, secret });
  const setup = sealChallenge(services, vault, 'app', { id, login, secret });
  return { setup, secret, uri, qr: await drawQr(uri, { type: 'svg', margin: 2 }) };
}

interface NewApp {
  readonly setup: string;
  readonly name: string;
  readonly code: string;
}

export async function addApp(
  services: Services,
  vault: FactorVault,
  call: Call<Actor>,
  { setup, name, code }: NewApp,
): Promise<string[] | undefined> {
  const person = call.actor;
  const { content } = openChallenge(services, vault, 'app', { challenge: setup, schema: setupOf });
  const { id, login, secret } = content;
  if (id !== person.id || login !== person.login) throw new CallError('CHALLENGE_ENDED');
  const step = await stepOf(secret, plainCode(code), services.clock.now());
  if (step === undefined) throw new CallError('WRONG_FACTOR', { fields: { code: AUTH_TEXTS.wrongFirstCode } });
  // The code that proved the app must not sign in as well.
  return addFactor(services, call, { kind: 'app', name, secret: vault.seal(secret, boundTo(person)), lastStep: step });
}

function addFactor(
  services: Services,
  call: Call<Actor>,
  factor: Parameters<typeof insertFactor>[2],
): Promise<string[] | undefined> {
  const person = call.actor;
  return runCommandDuringRestore(services, call, async (tx, at) => {
    const factors = await lockFactors(tx, person);
    if (factors.length > FACTORS_MAX)
      throw new CallError('LIMIT_REACHED', { message: AUTH_TEXTS.tooManyFactors(FACTORS_MAX) });
    await insertFactor(tx, person, factor, at);
    // The password alone opened them.
    if (factors.length === 0) await endOtherElevations(tx, person, call.sessionId);
    await announceMoved(services, tx, person.id);
    await forgetDevices(tx, person);
    const made = factors.some(({ kind }) => kind === 'codes') ? undefined : makeCodes();
    if (made)
      await insertFactor(tx, person, { kind: 'codes', name: AUTH_TEXTS.recoveryCodes, secret: made.hashes }, at);
    return {
      result: made?.codes,
      subject: AUTH_SUBJECTS.factorAdded(factor.name),
      detail: noticeTo(person, 'factor'),
      changes: changeOf('Second factor', null, factor.name),
    };
  });
}

interface PasskeySetup {
  readonly setup: string;
  readonly options: Record<string, unknown>;
}

/** Stores nothing. Throws RULE_REFUSED at an IP address. */
export async function beginPasskey(
  services: Services,
  vault: FactorVault,
  { actor, header }: Call<Actor>,
  houseName: string,
): Promise<PasskeySetup> {
  const host = passkeyHost(ownSite(services, header));
  if (host === undefined) throw new CallError('RULE_REFUSED', { message: AUTH_TEXTS.needsHostName });
  const { id, login, personName: username } = actor;
  const setup = sealChallenge(services, vault, 'passkey', { id, login });
  const known = await readFactors(services.db, actor);
  return { setup, options: await creationOptions({ houseName, host, username, challenge: setup, known }) };
}

export async function addPasskey(
  services: Services,
  vault: FactorVault,
  call: Call<Actor>,
  { setup, name, passkey }: { readonly setup: string; readonly name: string; readonly passkey: string },
): Promise<string[] | undefined> {
  const { id, login } = call.actor;
  const { content } = openChallenge(services, vault, 'passkey', { challenge: setup, schema: passkeySetupOf });
  if (content.id !== id || content.login !== login) throw new CallError('CHALLENGE_ENDED');
  const made = await readNewPasskey({ site: ownSite(services, call.header), answer: passkey, challenge: setup });
  if (!made) throw new CallError('WRONG_FACTOR', { fields: { passkey: AUTH_TEXTS.wrongPasskey } });
  const { counter: lastStep, ...key } = made;
  return addFactor(services, call, { kind: 'passkey', name, lastStep, ...key });
}

/** Recovery codes go with the last device. */
export async function removeFactor(services: Services, call: Call<Actor>, number: number): Promise<void> {
  const person = call.actor;
  await runCommandDuringRestore(services, call, async (tx) => {
    const factors = await lockFactors(tx, person);
    const gone = factors.find((factor) => factor.number === number && factor.kind !== 'codes');
    if (!gone) throw new CallError('NOT_FOUND');
    const rest = factors.filter((factor) => factor !== gone);
    const isLast = rest.every(({ kind }) => kind === 'codes');
    await deleteFactors(
      tx,
      person,
      (isLast ? factors : [gone]).map((factor) => factor.number),
    );
    await announceMoved(services, tx, person.id);
    await forgetDevices(tx, person);
    return {
      result: undefined,
      subject: AUTH_SUBJECTS.factorRemoved(gone.name),
      detail: noticeTo(person, 'factor'),
      changes: changeOf('Second factor', gone.name, null),
    };
  });
}

export async function renewCodes(services: Services, call: Call<Actor>): Promise<string[]> {
  const person = call.actor;
  return runCommandDuringRestore(services, call, async (tx, at) => {
    const factors = await lockFactors(tx, person);
    if (factors.length === 0) throw new CallError('NOT_FOUND');
    const old = factors.filter(({ kind }) => kind === 'codes').map(({ number }) => number);
    await deleteFactors(tx, person, old);
    const { codes, hashes } = makeCodes();
    await insertFactor(tx, person, { kind: 'codes', name: AUTH_TEXTS.recoveryCodes, secret: hashes }, at);
    await forgetDevices(tx, person);
    return {
      result: codes,
      subject: AUTH_SUBJECTS.codesRenewed,
      detail: noticeTo(person, 'factor'),
      changes: changeOf('Recovery codes', null, 'Renewed'),
    };
  });
}

async function lockFactors(tx: Tx, person: Person): ReturnType<typeof readFactors> {
  await tx.query(sql`select from accounts where id = ${person.id} for no key update`);
  return readFactors(tx, person);
}
