import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { requireWallet, versionSince } from '../ledger/movements.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { leastIdAt } from '../platform/db/sql/uuids.ts';
import { CREDIT_TEXTS } from './credit-texts.ts';

interface DailyLimit {
  readonly limit: bigint;
  readonly left: bigint;
}

/**
 * Null without a limit. Counts credit given to others today (server time zone), not take-backs, reversals of them,
 * returns or bets.
 */
export async function dailyLimitOf(
  { timeZone }: Services,
  on: Queryable,
  { id, networkId }: Pick<Actor, 'id' | 'networkId'>,
  at: Date,
): Promise<DailyLimit | null> {
  const [row] = await on.query<{ limit: bigint | null; midnight: Date }>(
    sql`select a.daily_limit as limit, day_start(${at}::timestamptz, ${timeZone}) as midnight from accounts a where a.id = ${id}`.named(
      'daily-limit',
    ),
  );
  if (!row || row.limit === null) return null;
  const wallet = await requireWallet(on, networkId, `credit:${id}`);
  const [given] = await on.query<{ amount: bigint }>(
    sql`select coalesce(sum(amount), 0)::bigint as amount from transfers
     where network_id = ${networkId} and from_wallet = ${wallet.walletId}
       and from_version >= ${await versionSince(on, wallet, row.midnight)} and at >= ${row.midnight}
       and kind = ${sql.lit(TRANSFER_KINDS.give)} and actor_id = ${id} and reference is null`.named('daily-given'),
  );
  const left = row.limit - given!.amount;
  return { limit: row.limit, left: left > 0n ? left : 0n };
}

/** Like {@link dailyLimitOf}, by the log. Null without a limit. */
export async function loginLimitOf(
  { timeZone }: Services,
  on: Queryable,
  { id, networkId, login }: Pick<Actor, 'id' | 'networkId' | 'login'>,
  at: Date,
): Promise<DailyLimit | null> {
  if (login === 0) return null;
  const [row] = await on.query<{ limit: bigint | null; midnight: Date }>(
    sql`select daily_limit as limit, day_start(${at}::timestamptz, ${timeZone}) as midnight from logins
      where network_id = ${networkId} and account_id = ${id} and number = ${login}`,
  );
  if (!row || row.limit === null) return null;
  const [given] = await on.query<{ points: string }>(
    sql`select coalesce(sum((detail ->> 'amount')::numeric), 0)::text as points from activity
      where network_id = ${networkId} and account_id = ${id} and id >= ${leastIdAt(row.midnight)}
        and (detail ->> 'login')::int = ${login} and detail ->> 'direction' = 'give' and (detail ? 'transferId' or detail ? 'messageId')
        and not detail ? 'reverses'
        -- Returned by another cell.
        and not exists (select from sent_credit s where s.id = (detail ->> 'messageId')::uuid and s.refusal is not null)`,
  );
  const left = row.limit - hundredthsOf(Number(given!.points))!;
  return { limit: row.limit, left: left > 0n ? left : 0n };
}

const text = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

/** Requires the wallet lock. */
export async function requireWithinDailyLimit(
  services: Services,
  on: Queryable,
  account: Pick<Actor, 'id' | 'networkId'>,
  amount: bigint,
  at: Date,
): Promise<void> {
  const daily = await dailyLimitOf(services, on, account, at);
  if (!daily || amount <= daily.left) return;
  const { limit, left } = daily;
  throw new CallError('DAILY_LIMIT', {
    message: CREDIT_TEXTS.dailyLimit(text(limit), left === 0n ? 'nothing' : text(left)),
  });
}

/** Requires the wallet lock. */
export async function requireWithinLoginLimit(
  services: Services,
  on: Queryable,
  actor: Pick<Actor, 'id' | 'networkId' | 'login'>,
  amount: bigint,
  at: Date,
): Promise<void> {
  const daily = await loginLimitOf(services, on, actor, at);
  if (!daily || amount <= daily.left) return;
  const { limit, left } = daily;
  throw new CallError('DAILY_LIMIT', {
    message: CREDIT_TEXTS.loginLimit(text(limit), left === 0n ? 'nothing' : text(left)),
  });
}
