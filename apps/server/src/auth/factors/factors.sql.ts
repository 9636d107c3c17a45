import type { FactorKind } from '@drawhouse/contract/auth/factors';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Person } from '../logins/person.ts';

export interface FactorRow {
  readonly number: number;
  readonly kind: FactorKind;
  readonly name: string;
  readonly madeAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastStep: number;
  readonly secret: Buffer | null;
  readonly host: string | null;
  readonly credential: Buffer | null;
  readonly publicKey: Buffer | null;
}

const ofPerson = ({ networkId, id, login }: Person): Sql =>
  sql`network_id = ${networkId} and account_id = ${id} and login = ${login}`;

export function readFactors(on: Queryable, person: Person): Promise<FactorRow[]> {
  return on.query<FactorRow>(
    sql`select number, kind, name, made_at as "madeAt", last_used_at as "lastUsedAt", last_step::float8 as "lastStep", secret,
       host, credential, public_key as "publicKey"
     from factors where ${ofPerson(person)} order by number`.named('factors-of-login'),
  );
}

export const hasFactor = (person: Person): Sql => sql`exists (select from factors where ${ofPerson(person)})`;

/** With a second factor, the password alone confirms nothing. */
export async function isFactorNeeded(on: Queryable, person: Person): Promise<boolean> {
  return (await on.query(sql`select where ${hasFactor(person)}`.named('factors-any'))).length > 0;
}

type NewFactor = Pick<FactorRow, 'kind' | 'name'> &
  Partial<Pick<FactorRow, 'secret' | 'lastStep' | 'host' | 'credential' | 'publicKey'>>;

/** Lock the account first, because this counts numbers. */
export async function insertFactor(tx: Tx, person: Person, factor: NewFactor, at: Date): Promise<void> {
  const { kind, name, secret = null, lastStep = 0, host = null, credential = null, publicKey = null } = factor;
  await tx.query(
    sql`insert into factors (network_id, account_id, login, number, kind, name, secret, last_step, host, credential, public_key,
       made_at)
     select ${person.networkId}, ${person.id}, ${person.login}, coalesce(max(number), 0) + 1, ${kind}, ${name}, ${secret},
       ${lastStep}, ${host}, ${credential}, ${publicKey}, ${at} from factors where ${ofPerson(person)}`,
  );
}

export async function deleteFactors(tx: Tx, person: Person, numbers: readonly number[]): Promise<void> {
  await tx.query(sql`delete from factors where ${ofPerson(person)} and number = any(${[...numbers]}::smallint[])`);
}

/** Returns false if this or a later step was used before. */
export async function useStep(on: Queryable, person: Person, number: number, step: number, at: Date): Promise<boolean> {
  const used = await on.query(
    sql`update factors set last_step = ${step}, last_used_at = ${at}
     where ${ofPerson(person)} and number = ${number} and kind = 'app' and last_step < ${step} returning 1`,
  );
  return used.length > 0;
}

/** Returns false if used since the challenge, so each challenge counts once. */
export async function usePasskey(
  on: Queryable,
  person: Person,
  { number, counter, since }: { readonly number: number; readonly counter: number; readonly since: Date },
  at: Date,
): Promise<boolean> {
  const used = await on.query(
    sql`update factors set last_step = ${counter}, last_used_at = ${at} where ${ofPerson(person)} and number = ${number}
      and kind = 'passkey' and (last_used_at is null or last_used_at < ${since}) returning 1`,
  );
  return used.length > 0;
}

export async function replaceCodes(
  tx: Tx,
  person: Person,
  { number, from, to }: { readonly number: number; readonly from: Buffer; readonly to: Buffer },
  usedAt: Date,
): Promise<boolean> {
  const changed = await tx.query(
    sql`update factors set secret = ${to}, last_used_at = ${usedAt}
     where ${ofPerson(person)} and number = ${number} and kind = 'codes' and secret = ${from} returning 1`,
  );
  return changed.length > 0;
}

/**
 * A restore undoes no second factors: the live network's win. A move keeps the backup's, except apps and codes whose
 * secrets it lacks.
 */
export async function keepFactors(
  tx: Tx,
  { staged, live, moveId }: { readonly staged: number; readonly live: number; readonly moveId?: string | undefined },
): Promise<void> {
  const isMove = moveId !== undefined;
  await tx.query(
    sql`delete from factors where network_id = ${staged} and (not ${isMove} or kind in ('app', 'codes') and secret is null)`,
  );
  if (isMove) return;
  await tx.query(
    sql`insert into factors (network_id, account_id, login, number, kind, name, secret, last_step, last_used_at, made_at, host,
       credential, public_key)
     select ${staged}, account_id, login, number, kind, name, secret, last_step, last_used_at, made_at, host, credential,
       public_key from factors
     where network_id = ${live} and account_id in (select id from staged_accounts where network_id = ${staged})`,
  );
}
