import { appendActivity } from '../../activity/append-activity.ts';
import { inNetwork } from '../../activity/network-work/network-work.ts';
import { authorOf } from '../../activity/run-command.ts';
import { addressKey } from '../../platform/http/request/address.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Origin } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { attempt, type Count } from '../attempts/attempts.ts';
import { personKey, type Person } from '../logins/person.ts';
import { inTurn } from '../passwords/password.ts';
import { AUTH_SUBJECTS, AUTH_TEXTS } from '../auth-texts.ts';
import type { FactorVault } from './factor-vault.ts';
import { findSigner, type PasskeyAnswer } from './passkeys.ts';
import { readFactors, replaceCodes, usePasskey, useStep, type FactorRow } from './factors.sql.ts';
import { countCodes, plainCode, withoutCode } from './recovery-codes.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Accepts the previous and next 30-second code, for inexact clocks. */
const TOLERANCE_S = 30;

/** A passkey signs a challenge made at `since`. */
export type FactorProof = { readonly code: string } | (PasskeyAnswer & { readonly since: Date });

export interface Prover extends Person {
  readonly personName: string;
  readonly origin: Origin;
}

/** Accepts each proof once. Counts failures like wrong passwords, per address and per login. */
export async function checkFactor(
  services: Services,
  vault: FactorVault,
  who: Prover,
  proof: FactorProof,
): Promise<void> {
  const { networkId, origin } = who;
  const counts: Count[] = [
    { scope: 'pair', subject: `${personKey(who)} ${addressKey(origin.ip)} factor` },
    { scope: 'factor', subject: personKey(who) },
  ];
  const as = { ...authorOf(who), networkId, origin };
  const isRight = await inTurn({ lane: 'session', key: personKey(who) }, () =>
    attempt(services, counts, as, () => spend(services, vault, who, proof)),
  );
  if (isRight) return;
  const error = new CallError('WRONG_FACTOR', {
    fields: 'code' in proof ? { code: AUTH_TEXTS.wrongFactor } : { passkey: AUTH_TEXTS.wrongPasskey },
  });
  await inNetwork(services.db, networkId, (tx) =>
    appendActivity(tx, networkId, services, [
      { ...authorOf(who), subject: AUTH_SUBJECTS.factorRefused(error.message), origin },
    ]),
  );
  throw error;
}

async function spend(services: Services, vault: FactorVault, who: Prover, proof: FactorProof): Promise<boolean> {
  const factors = await readFactors(services.db, who);
  if (!('code' in proof)) {
    const signer = await findSigner(factors, proof);
    if (!signer) return false;
    const use = { ...signer, since: proof.since };
    return inNetwork(services.db, who.networkId, (tx) => usePasskey(tx, who, use, services.clock.now()));
  }
  const code = plainCode(proof.code);
  const isOfApp = /^\d{6}$/.test(code);
  for (const factor of factors) {
    if (isOfApp && factor.kind === 'app' && (await spendAppCode(services, vault, who, factor, code))) return true;
    if (!isOfApp && factor.kind === 'codes' && (await spendRecoveryCode(services, who, factor, code))) return true;
  }
  return false;
}

async function spendAppCode(
  { db, clock }: Services,
  vault: FactorVault,
  who: Prover,
  factor: FactorRow,
  code: string,
): Promise<boolean> {
  const secret = factor.secret && vault.open(factor.secret, boundTo(who));
  if (typeof secret !== 'string') return false;
  const at = clock.now();
  const step = await stepOf(secret, code, at);
  return step !== undefined && inNetwork(db, who.networkId, (tx) => useStep(tx, who, factor.number, step, at));
}

/** Binds an app's secret to its login, so a copied row is useless. */
export const boundTo = ({ id, login }: Pick<Person, 'id' | 'login'>): string => `app of ${id} ${login}`;

export async function stepOf(secret: string, code: string, at: Date): Promise<number | undefined> {
  const { verify } = await import('otplib');
  const checked = await verify({
    secret,
    token: code,
    epoch: Math.floor(at.getTime() / 1_000),
    epochTolerance: TOLERANCE_S,
  });
  return checked.valid && 'timeStep' in checked ? checked.timeStep : undefined;
}

async function spendRecoveryCode(
  services: Services,
  who: Prover,
  { number, secret }: FactorRow,
  code: string,
): Promise<boolean> {
  const rest = secret === null ? undefined : withoutCode(secret, code);
  if (!rest) return false;
  const { networkId, origin } = who;
  return inNetwork(services.db, networkId, async (tx) => {
    if (!(await replaceCodes(tx, who, { number, from: secret!, to: rest }, services.clock.now()))) return false;
    const subject = AUTH_SUBJECTS.recoveryCodeUsed(countCodes(rest));
    await appendActivity(tx, networkId, services, [{ ...authorOf(who), subject, origin }]);
    return true;
  });
}

/** Uses the key of the cell that the network moves to. Leaves unreadable secrets, which were useless before. */
export async function resealFactors(
  on: Queryable,
  networkId: number,
  from: FactorVault,
  to: FactorVault,
): Promise<void> {
  const apps = await on.query<{ id: string; login: number; number: number; secret: Buffer }>(
    sql`select account_id as id, login, number, secret from factors
      where network_id = ${networkId} and kind = 'app' and secret is not null`,
  );
  for (const app of apps) {
    const secret = from.open(app.secret, boundTo(app));
    if (secret !== undefined)
      await on.query(
        sql`update factors set secret = ${to.seal(secret, boundTo(app))}
          where network_id = ${networkId} and account_id = ${app.id} and login = ${app.login} and number = ${app.number}`,
      );
  }
}
