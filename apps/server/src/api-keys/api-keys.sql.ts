import type { ApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import type { Actor } from '../accounts/authority.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { API_KEY_TEXTS } from './api-keys-texts.ts';
import type { KeyPermission } from '@drawhouse/contract/core/permissions';
import { pointsOf, pointsText } from '@drawhouse/contract/core/primitives';
import { endRequestsOfKeys } from '../approvals/approvals.sql.ts';
import type { Viewer } from '../platform/db/visibility-predicate.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { shownAddress } from '../platform/http/request/address.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';

/** Stakes in hundredths. */
export interface ApiKeyRow {
  id: string;
  number: number;
  name: string;
  ending: string;
  tickets_per_minute: number | null;
  stake_per_day: bigint | null;
  permissions: KeyPermission[];
  credit_per_day: bigint | null;
  expires_at: Date | null;
  addresses: string[];
  made_at: Date;
  ended_at: Date | null;
  last_used_at: Date | null;
}

const KEY = sql`k.id, k.number, k.name, k.ending, k.tickets_per_minute, k.stake_per_day, k.addresses::text[] as addresses,
  k.permissions, k.credit_per_day, k.expires_at,
  k.made_at, k.ended_at, k.last_used_at`;
const ofAsker = ({ id, networkId }: Viewer): Sql => sql`k.network_id = ${networkId} and k.made_by = ${id}`;

export async function listKeys(
  on: Queryable,
  { id, networkId }: Viewer,
  day: string,
  keyId: string | null = null,
): Promise<ApiKey[]> {
  const rows = await on.query<
    ApiKeyRow & { tickets: bigint; stake: bigint; tickets_today: bigint; stake_today: bigint; credit_today: bigint }
  >(
    sql`select ${KEY}, sums.* from api_keys k cross join lateral (
       select coalesce(sum(d.tickets), 0)::bigint as tickets, coalesce(sum(d.stake), 0)::bigint as stake,
              coalesce(sum(d.tickets) filter (where d.day = ${day}::date), 0)::bigint as tickets_today,
              coalesce(sum(d.stake) filter (where d.day = ${day}::date), 0)::bigint as stake_today,
              coalesce(sum(d.credit) filter (where d.day = ${day}::date), 0)::bigint as credit_today
       from api_key_days d where d.network_id = ${networkId} and d.number = k.number
     ) as sums
     where ${ofAsker({ id, networkId })} and (${keyId}::uuid is null or k.id = ${keyId}::uuid)
       order by k.ended_at is not null, k.number desc`.named('api-keys-list'),
  );
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    ending: row.ending,
    ticketsPerMinute: row.tickets_per_minute,
    stakePerDay: row.stake_per_day === null ? null : pointsOf(row.stake_per_day),
    permissions: row.permissions,
    creditPerDay: row.credit_per_day === null ? null : pointsOf(row.credit_per_day),
    creditToday: pointsOf(row.credit_today),
    expiresAt: row.expires_at?.toISOString() ?? null,
    addresses: row.addresses.map(shownAddress),
    madeAt: row.made_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    today: { tickets: Number(row.tickets_today), stake: pointsOf(row.stake_today) },
    total: { tickets: Number(row.tickets), stake: pointsOf(row.stake) },
  }));
}

export async function listDays(
  on: Queryable,
  { id, networkId }: Viewer,
  keyId: string,
  since: string,
): Promise<{ day: string; tickets: number; stake: number }[] | undefined> {
  const rows = await on.query<{ day: string | null; tickets: bigint; stake: bigint }>(
    sql`select d.day::text as day, d.tickets, d.stake from api_keys k
     left join api_key_days d on d.network_id = ${networkId} and d.number = k.number and d.day > ${since}::date
     where ${ofAsker({ id, networkId })} and k.id = ${keyId} order by d.day desc`.named('api-keys-days'),
  );
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ day, tickets, stake }) =>
    day === null ? [] : [{ day, tickets: Number(tickets), stake: pointsOf(stake) }],
  );
}

/** Waits for in-flight bets. */
export async function lockKey(tx: Tx, { id, networkId }: Viewer, keyId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await tx.query<ApiKeyRow>(
    sql`select ${KEY} from api_keys k where ${ofAsker({ id, networkId })} and k.id = ${keyId} for update of k`,
  );
  return row;
}

export async function countUsableKeys(
  on: Queryable,
  { id, networkId }: Pick<Viewer, 'id' | 'networkId'>,
): Promise<number> {
  const [counted] = await on.query<{ usable: number }>(
    sql`select count(*)::int as usable from api_keys where network_id = ${networkId} and made_by = ${id} and ended_at is null`,
  );
  return counted!.usable;
}

/** Includes the account's own keys. Waits for in-flight bets. Returns keys ended by this call. */
export async function endKeysBelow(
  tx: Tx,
  { id, network_id: networkId }: { readonly id: string; readonly network_id: number },
  at: Date,
): Promise<{ id: string; name: string; username: string }[]> {
  const ended = await tx.query<{ id: string; name: string; username: string; number: number }>(
    sql`with locked as (select k.number, a.username from api_keys k join accounts a on a.id = k.made_by
        where k.network_id = ${networkId} and k.ended_at is null and a.chain @> array[${id}]::uuid[] order by k.number for update of k)
     update api_keys k set ended_at = ${at} from locked where k.network_id = ${networkId} and k.number = locked.number
       returning k.id, k.name, k.number, locked.username`,
  );
  await endRequestsOfKeys(tx, { networkId, keys: ended.map(({ number }) => number) }, at);
  return ended;
}

interface LiveKeys {
  readonly staged: number;
  readonly live: number;
  readonly moveId?: string | undefined;
  readonly isUndo?: boolean;
  readonly isWithoutSecrets?: boolean | undefined;
}

/**
 * The restored network gets the current settings and endings, so ended keys stay ended. Keys newer than the backup
 * disappear; keys unknown to the live network end. Moves from backups without key hashes end all keys.
 */
export async function updateStagedApiKeys(
  tx: Tx,
  { staged, live, moveId, isUndo = false, isWithoutSecrets = false }: LiveKeys,
  at: Date,
): Promise<void> {
  await tx.query(
    sql`update api_keys k set ended_at = coalesce(k.ended_at, l.ended_at), end_is_kept = k.end_is_kept or k.ended_at is null
      and l.ended_at is not null,
            tickets_per_minute = l.tickets_per_minute, stake_per_day = l.stake_per_day, addresses = l.addresses,
            permissions = l.permissions, credit_per_day = l.credit_per_day, expires_at = l.expires_at
     from api_keys l where k.network_id = ${staged} and l.network_id = ${live} and l.id = k.id`,
  );
  if (isWithoutSecrets) await tx.query(sql`select keep_key_hashes(${staged}, ${live})`);
  if (isUndo || (moveId !== undefined && !isWithoutSecrets)) return;
  await tx.query(
    sql`update api_keys k set ended_at = ${at}, end_is_kept = true
     where k.network_id = ${staged} and k.ended_at is null and not exists (select from api_keys l
       where l.network_id = ${live} and l.id = k.id)`,
  );
}

/** Counts credit given or taken back today. Throws DAILY_LIMIT above the key's daily amount. */
export async function countKeyCredit(
  tx: Tx,
  { networkId, apiKey }: Pick<Actor, 'networkId' | 'apiKey'>,
  amount: bigint,
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
): Promise<void> {
  if (!apiKey) return;
  const most = apiKey.creditPerDay ?? 0n;
  const counted = await tx.query(
    sql`insert into api_key_days as d (network_id, number, day, tickets, stake, credit)
        select ${networkId}, ${apiKey.number}, ${dayOf(at, timeZone)}::date, 0, 0, ${amount}::bigint where ${amount}::bigint <= ${most}
      on conflict (network_id, number, day) do update set credit = d.credit + excluded.credit
        where d.credit + excluded.credit <= ${most} returning 1`,
  );
  if (counted.length === 0) throw new CallError('DAILY_LIMIT', { message: API_KEY_TEXTS.creditLeft(pointsText(most)) });
}
