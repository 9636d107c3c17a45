import type { Account } from '@drawhouse/contract/accounts/accounts';
import { percentHundredthsOf, percentOf, type Role } from '@drawhouse/contract/core/primitives';
import { percentWords } from '../activity/append-activity.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import { ACCOUNT_TEXTS } from './accounts-texts.ts';

const NAMED = 3;

export type CommissionField = 'commission' | 'commissionCeiling' | 'refId';

/**
 * Locks the network's admin (its superadmin during creation), so concurrent rate changes cannot jointly break a rule.
 * Lock order: before other accounts of the network.
 */
export async function lockCommissions(tx: Tx, chain: readonly string[]): Promise<void> {
  await tx.query(sql`select from accounts where id = ${chain[1] ?? chain[0]} for no key update`);
}

export function grantsCommissions(role: Role): boolean {
  return role === 'superadmin' || role === 'admin';
}

/** Returns percent, over all chains through the account. */
export async function readHighestChain(on: Queryable, id: string): Promise<NonNullable<Account['highestChain']>> {
  // Siblings share ancestors, so one account per parent suffices.
  const [row] = await on.query<{ network_id: number; commission: number }>(
    sql`select of.network_id, coalesce(max(highest.own + coalesce((select sum(up.commission) from accounts up
      where up.id = any(p.chain[3:])), 0)), 0)::int as commission
     from accounts of left join (
       select a.parent_id, max(a.commission) as own from accounts a
       where a.chain @> array[${id}]::uuid[] and ${EARNS} and a.deleted_at is null group by a.parent_id
     ) as highest on true left join accounts p on p.id = highest.parent_id
     where of.id = ${id} group by of.network_id`,
  );
  const games = await on.query<{ game_id: string }>(
    sql`select game_id from network_games where network_id = ${row!.network_id} order by game_id`,
  );
  return { commission: percentOf(row!.commission), games: games.map((game) => game.game_id) };
}

interface NewRate {
  readonly target: { readonly id: string; readonly network_id: number };
  readonly commission: number;
  readonly at: Date;
}

/**
 * Open draws keep their old rate. Resending the current rate preserves an exemption. Requires {@link lockCommissions},
 * so change numbers follow commit order.
 */
export async function setCommission(tx: Tx, actor: { role: Role }, { target, commission, at }: NewRate): Promise<void> {
  const rate = percentHundredthsOf(commission);
  const grants = grantsCommissions(actor.role);
  await tx.query(
    sql`with before as (
       select commission from accounts where id = ${target.id}
     ), changed as (
       update accounts set commission = ${rate}, commission_granted = ${grants}
       where id = ${target.id} and (${grants}::boolean or commission <> ${rate}) returning chain
     )
     insert into rate_changes (network_id, nth, account_id, at, before, after)
     select ${target.network_id}, coalesce((select max(nth) from rate_changes where network_id = ${target.network_id}), 0) + 1,
            ${target.id}, ${at}, before.commission, ${rate}
     from changed, before where before.commission <> ${rate} and ${EARNS}`,
  );
}

const EARNS = sql`cardinality(chain) > 2`;

/** In percent. */
export async function setCommissionCeiling(tx: Tx, target: { id: string; role: Role }, ceiling: number): Promise<void> {
  if (target.role !== 'admin')
    throw new CallError('INVALID_INPUT', { fields: { commissionCeiling: ACCOUNT_TEXTS.onlyAdminsCeiling } });
  await tx.query(sql`update accounts set commission_ceiling = ${percentHundredthsOf(ceiling)} where id = ${target.id}`);
}

/** Checks these accounts and their direct children. */
export async function endGrants(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    sql`update accounts a set commission_granted = false from accounts p
     where (a.id = any(${ids}::uuid[]) or a.parent_id = any(${ids}::uuid[])) and p.id = a.parent_id and a.commission_granted
       and (p.role in ('superadmin', 'admin') or a.commission <= p.commission)`,
  );
}

/** Hides chain figures from roles below admin, because they reveal ancestors' earnings. */
export async function checkCommissions(
  tx: Tx,
  actor: { role: Role },
  { id, networkId }: { id: string; networkId: number },
  field: CommissionField,
): Promise<void> {
  await endGrants(tx, [id]);
  const text =
    (await aboveParent(tx, id, field)) ??
    (await aboveCeiling(tx, actor, id, field)) ??
    (await aboveInOpenDraws(tx, networkId, id));
  if (text !== null) throw new CallError('COMMISSION_LIMIT', { fields: { [field]: text } });
}

async function aboveParent(tx: Tx, id: string, field: CommissionField): Promise<string | null> {
  const found = await tx.query<{ id: string; username: string; own: number; above: string; most: number; n: bigint }>(
    sql`select a.id, a.username, a.commission as own, p.username as above, p.commission as most, count(*) over () as n
     from accounts a join accounts p on p.id = a.parent_id
     where ${id} in (a.id, a.parent_id) and a.deleted_at is null and not a.commission_granted
       and p.role not in ('superadmin', 'admin') and a.commission > p.commission
     order by a.id <> ${id}, lower(a.username) collate natural_order limit ${NAMED}`,
  );
  const [first] = found;
  if (!first) return null;
  const most = percentWords(percentOf(first.most));
  if (first.id !== id) return ACCOUNT_TEXTS.earnMoreBelow(most, some(found, first.n));
  return field === 'refId'
    ? ACCOUNT_TEXTS.earnsMore(first.username, percentWords(percentOf(first.own)), most, first.above)
    : ACCOUNT_TEXTS.atMostAbove(most, first.above);
}

async function aboveCeiling(tx: Tx, actor: { role: Role }, id: string, field: CommissionField): Promise<string | null> {
  const found = await tx.query<{ id: string; username: string; ceiling: number; worst: bigint; n: bigint }>(
    sql`select a.id, a.username, admin.commission_ceiling as ceiling, count(*) over () as n, max(along.total) over () as worst
     from accounts a join accounts admin on admin.id = a.chain[2]
       cross join lateral (select sum(up.commission) as total from accounts up where up.id = any(a.chain[3:])) along
     where a.chain @> array[${id}]::uuid[] and a.deleted_at is null
       and along.total > admin.commission_ceiling and along.total - a.commission <= admin.commission_ceiling
     order by lower(a.username) collate natural_order limit ${NAMED}`,
  );
  const [first] = found;
  if (!first) return null;
  const names = first.id === id ? '' : ACCOUNT_TEXTS.chainsAbove(some(found, first.n));
  const ceiling = percentWords(percentOf(first.ceiling));
  const end = field === 'commissionCeiling' ? ACCOUNT_TEXTS.lowerTheirs : ACCOUNT_TEXTS.chooseLower;
  if (!grantsCommissions(actor.role)) return ACCOUNT_TEXTS.aboveSomeCeiling(names, end);
  const by = percentWords(percentOf(Number(first.worst) - first.ceiling));
  return ACCOUNT_TEXTS.aboveCeiling(by, ceiling, names, end);
}

/**
 * A new or moved account can raise a chain above the ceiling in open draws, which keep their rates. The ceiling bounds
 * each table's worst case.
 */
async function aboveInOpenDraws(tx: Tx, networkId: number, id: string): Promise<string | null> {
  const atOpening = rateAtOpening('up', { networkId, changes: sql`opened.rate_changes` });
  const found = await tx.query<{ username: string; n: bigint }>(
    sql`select a.username, count(*) over () as n
     from accounts a join accounts admin on admin.id = a.chain[2]
     where a.chain @> array[${id}]::uuid[] and a.deleted_at is null and exists (
       select from (
         select distinct d.rate_changes, d.commission_ceiling as ceiling from draws d
           where d.network_id = ${networkId} and d.status = 'open'
           and d.rate_changes < (select max(nth) from rate_changes where network_id = ${networkId})
       ) as opened
       where (select sum(${atOpening}) from accounts up
         where up.id = any(a.chain[3:])) > greatest(opened.ceiling, admin.commission_ceiling))
     order by lower(a.username) collate natural_order limit ${NAMED}`,
  );
  const [first] = found;
  if (!first) return null;
  return ACCOUNT_TEXTS.openDrawsAbove(some(found, first.n));
}

function some(found: readonly { username: string }[], n: bigint): string {
  const names = found.map(({ username }) => username).join(', ');
  const left = Number(n) - found.length;
  return left > 0 ? `${names} and ${left} more` : names;
}

interface Opening {
  readonly networkId: number;
  readonly changes: Sql;
}

/**
 * In hundredths of a percent: `before` of the first later change, else today's rate. Usually no change came later,
 * which skips the account lookup.
 */
export function rateAtOpening(account: string, { networkId, changes }: Opening): Sql {
  const a = sql.raw(account);
  return sql`coalesce(case when (select max(nth) from rate_changes where network_id = ${networkId}) > ${changes}::int then (
    select c.before from rate_changes c where c.network_id = ${networkId} and c.account_id = ${a}.id and c.nth > ${changes}::int
    order by c.nth limit 1) end, ${a}.commission)`;
}
