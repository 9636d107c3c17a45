import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const ADDRESSES_MAX = 20;
const REMEMBERED_MS = 90 * 24 * 60 * 60_000;

/** SQL predicate: account has signed in from this address since `since`. `address` as given by `addressKey`. */
export function hasSignedInFrom(account: string, address: `$${number}`, since: `$${number}`): string {
  return `exists (select from known_addresses k where k.account_id = ${account} and k.address = ${address} and k.last_at > ${since})`;
}

export function rememberedSince(now: Date): Date {
  return new Date(now.getTime() - REMEMBERED_MS);
}

export async function rememberAddress(tx: Tx, accountId: string, address: string, at: Date): Promise<void> {
  await tx.query(
    `insert into known_addresses (account_id, address, last_at) values ($1, $2, $3)
     on conflict (account_id, address) do update set last_at = $3`,
    [accountId, address, at],
  );
  await tx.query(
    sql`delete from known_addresses where account_id = ${accountId} and (last_at <= ${rememberedSince(at)} or address not in
       (select address from known_addresses where account_id = ${accountId} order by last_at desc, address limit ${sql.lit(ADDRESSES_MAX)}))`,
  );
}
