import { createHash, randomBytes } from 'node:crypto';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Person } from '../logins/person.ts';

const DEVICES_MAX = 10;
/** Since the last sign-in. Also the cookie's lifetime. */
export const DEVICE_LIFETIME_MS: number = 90 * 24 * 60 * 60_000;

export function deviceHashOf(secret: string | undefined): Buffer | null {
  return secret === undefined ? null : createHash('sha256').update(secret).digest();
}

interface PersonSql {
  readonly id: string | Sql;
  readonly login: number | Sql;
}

export function hasSignedInWith({ id, login }: PersonSql, hash: Buffer | null, since: Date): Sql {
  return sql`exists (select from known_devices d where d.account_id = ${id} and d.login = ${login} and d.device_hash = ${hash}::bytea
    and d.last_at > ${since})`;
}

export function devicesSince(now: Date): Date {
  return new Date(now.getTime() - DEVICE_LIFETIME_MS);
}

/**
 * Evicts the least recently used browser and returns a cookie secret. Replaces unknown secrets, so attackers cannot
 * plant one.
 */
export async function rememberDevice(
  tx: Tx,
  { id, login }: Pick<Person, 'id' | 'login'>,
  shown: string | undefined,
  at: Date,
): Promise<string> {
  const secret =
    shown !== undefined && (await isKnownDevice(tx, shown, at)) ? shown : randomBytes(32).toString('base64url');
  await tx.query(
    sql`insert into known_devices (account_id, login, device_hash, last_at)
     values (${id}, ${login}, ${deviceHashOf(secret)}, ${at}) on conflict (account_id, login, device_hash) do update set last_at = ${at}`,
  );
  await tx.query(
    sql`delete from known_devices where account_id = ${id} and login = ${login} and (last_at <= ${devicesSince(at)} or device_hash not in
       (select device_hash from known_devices where account_id = ${id} and login = ${login} order by last_at desc, device_hash
         limit ${sql.lit(DEVICES_MAX)}))`,
  );
  return secret;
}

async function isKnownDevice(on: Queryable, secret: string, at: Date): Promise<boolean> {
  const found = await on.query(
    sql`select 1 from known_devices where device_hash = ${deviceHashOf(secret)} and last_at > ${devicesSince(at)} limit 1`,
  );
  return found.length > 0;
}

const ADDRESSES_MAX = 20;
const REMEMBERED_MS = 90 * 24 * 60 * 60_000;

/** `address` comes from `addressKey`. */
export function hasSignedInFrom({ id, login }: PersonSql, address: string, since: Date): Sql {
  return sql`exists (select from known_addresses k where k.account_id = ${id} and k.login = ${login}
    and k.address = ${address} and k.last_at > ${since})`;
}

export function rememberedSince(now: Date): Date {
  return new Date(now.getTime() - REMEMBERED_MS);
}

export async function hasSignedInBefore(on: Queryable, { id, login }: Pick<Person, 'id' | 'login'>): Promise<boolean> {
  const found = await on.query(sql`select from known_addresses where account_id = ${id} and login = ${login} limit 1`);
  return found.length > 0;
}

export async function rememberAddress(
  tx: Tx,
  { id, login }: Pick<Person, 'id' | 'login'>,
  address: string,
  at: Date,
): Promise<void> {
  await tx.query(
    sql`insert into known_addresses (account_id, login, address, last_at) values (${id}, ${login}, ${address}, ${at})
     on conflict (account_id, login, address) do update set last_at = ${at}`,
  );
  await tx.query(
    sql`delete from known_addresses where account_id = ${id} and login = ${login} and (last_at <= ${rememberedSince(at)} or address not in
       (select address from known_addresses where account_id = ${id} and login = ${login} order by last_at desc, address
         limit ${sql.lit(ADDRESSES_MAX)}))`,
  );
}
