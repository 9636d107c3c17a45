import { createHash } from 'node:crypto';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { Origin } from '../../platform/http/handler.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { deviceHashOf } from '../attempts/sign-in-history.ts';
import type { Person } from '../logins/person.ts';

const REMEMBERED_MS = 30 * 86_400_000;

type Own = Pick<Person, 'id' | 'login'>;

/** Detects a changed password without its hash. */
export function markOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64');
}

/** The superadmin decides for each network. Superadmins are always asked. */
export async function mayRemember(on: Queryable, { id }: Pick<Person, 'id'>): Promise<boolean> {
  const [row] = await on.query<{ may: boolean }>(
    sql`select exists (select from accounts a join accounts up on up.id = a.chain[2] where a.id = ${id} and up.remember_devices)
      as may ${sql.raw(crossNetworkComment('signIn'))}`,
  );
  return row!.may;
}

export async function isRemembered(
  on: Queryable,
  { id, login, password_hash: hash }: Own & { readonly password_hash: string },
  device: Buffer | null,
  now: Date,
): Promise<boolean> {
  const found = await on.query(
    sql`select from known_devices where account_id = ${id} and login = ${login} and device_hash = ${device}
      and remembered_until > ${now} and remembered_mark = ${markOf(hash)}`,
  );
  return found.length > 0 && mayRemember(on, { id });
}

/** Remembers the device for 30 days, unless the network forbids it. */
export async function rememberFactor(
  tx: Tx,
  { id, login, password_hash: hash }: Own & { readonly password_hash: string },
  { device, origin, at }: { readonly device: string; readonly origin: Origin; readonly at: Date },
): Promise<void> {
  if (!(await mayRemember(tx, { id }))) return;
  await tx.query(
    sql`update known_devices set remembered_until = ${new Date(at.getTime() + REMEMBERED_MS)}, remembered_mark = ${markOf(hash)},
        user_agent = ${origin.userAgent}
      where account_id = ${id} and login = ${login} and device_hash = ${deviceHashOf(device)}`,
  );
}

export interface RememberedDevice {
  readonly _id: string;
  readonly userAgent: string;
  readonly until: string;
  readonly current: boolean;
}

export async function readRemembered(
  on: Queryable,
  { id, login, hash }: Own & { readonly hash: string },
  current: string | undefined,
  now: Date,
): Promise<RememberedDevice[]> {
  const rows = await on.query<{ id: string; agent: string; until: Date; current: boolean }>(
    sql`select encode(device_hash, 'hex') as id, coalesce(user_agent, '') as agent, remembered_until as until,
        coalesce(device_hash = ${deviceHashOf(current)}::bytea, false) as current
      from known_devices where account_id = ${id} and login = ${login} and remembered_until > ${now}
        and remembered_mark = ${markOf(hash)} order by current desc, remembered_until desc, device_hash`,
  );
  return rows.map(({ id: _id, agent, until, current: isCurrent }) => ({
    _id,
    userAgent: agent,
    until: until.toISOString(),
    current: isCurrent,
  }));
}

export async function forgetDevices(tx: Tx, { id, login }: Own, device?: string): Promise<number> {
  const which = device === undefined ? sql`true` : sql`device_hash = ${Buffer.from(device, 'hex')}`;
  const forgotten = await tx.query(
    sql`update known_devices set remembered_until = null, remembered_mark = null
      where account_id = ${id} and login = ${login} and remembered_until is not null and ${which} returning 1`,
  );
  return forgotten.length;
}
