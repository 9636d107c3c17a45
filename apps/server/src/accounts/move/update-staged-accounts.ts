import { percentOf, pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import { appendActivity, SYSTEM, percentWords } from '../../activity/append-activity.ts';
import { arrayOf, sql } from '../../platform/db/sql/sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Services } from '../../platform/services.ts';
import { returnCredit } from '../change/delete-account.ts';
import { changedSince, applyCurrentValues, type NetworkSwap } from './staged-accounts.ts';
import { ACCOUNT_SUBJECTS } from '../accounts-texts.ts';

/** From the top: a parent's rate bounds its children's. */
const EARNERS: readonly Role[] = ['superdistributor', 'distributor', 'retailer', 'user'];

interface UpdateInput extends NetworkSwap {
  readonly adminId: string;
  readonly rootLog: bigint;
  readonly takenAt: Date;
}

export interface UpdateCounts {
  readonly stopped: number;
  readonly deleted: number;
}

interface LoggedAccount {
  readonly id: string;
  readonly username: string;
  readonly role: Role;
}

type HasOpenTickets = (tx: Tx, account: { readonly id: string; readonly network_id: number }) => Promise<boolean>;

/**
 * Applies current passwords, admin, commissions, deactivations and deletions. Credit of deleted accounts goes to their
 * nearest living ancestors. Runs again during the swap, under locks.
 */
export async function updateStagedAccounts(
  services: Services,
  tx: Tx,
  exchange: UpdateInput,
  hasOpenTickets: HasOpenTickets,
): Promise<UpdateCounts> {
  const deleted = await applyDeletions(services, tx, exchange, hasOpenTickets);
  const stopped = await applyCurrentValues(tx, exchange);
  await log(services, tx, exchange, stopped, ({ role, username }) => ({
    subject: ACCOUNT_SUBJECTS.keptInactive(role, username),
    detail: { active: false },
  }));
  const rates = await keepCommissions(tx, exchange, services.clock.now());
  await log(services, tx, exchange, rates, ({ role, username, rate }) => ({
    subject: ACCOUNT_SUBJECTS.keptCommission(role, username, percentWords(percentOf(rate))),
    detail: { commission: percentOf(rate) },
  }));
  return { stopped: stopped.length, deleted };
}

async function log<Row extends LoggedAccount>(
  services: Services,
  tx: Tx,
  { staged }: NetworkSwap,
  rows: readonly Row[],
  describe: (row: Row) => { readonly subject: string; readonly detail: Record<string, unknown> },
): Promise<void> {
  if (rows.length === 0) return;
  const entries = rows.map((row) => {
    const { subject, detail } = describe(row);
    return { accountId: null, username: SYSTEM, subject, origin: NOWHERE, detail: { accountId: row.id, ...detail } };
  });
  await appendActivity(tx, staged, services, entries);
}

/**
 * Bottom up, so each account returns credit to its parent. Accounts with living children or payable tickets become
 * inactive instead.
 */
async function applyDeletions(
  services: Services,
  tx: Tx,
  { adminId, staged, live, rootLog, takenAt }: UpdateInput,
  hasOpenTickets: HasOpenTickets,
): Promise<number> {
  const removed = await tx.query<LoggedAccount & { parent_id: string; chain: string[]; deleted_at: Date }>(
    sql`select s.id, s.role, s.username, s.parent_id, s.chain, a.deleted_at from staged_accounts s join accounts a on a.id = s.id
     where s.network_id = ${staged} and a.network_id = ${live} and s.id <> ${adminId} and s.deleted_at is null and a.deleted_at is not null
       and ${changedSince({ live, rootLog, takenAt })}
     order by cardinality(s.chain) desc, s.id`,
  );
  let deleted = 0;
  for (const account of removed) {
    const target = { ...account, network_id: staged };
    const [child] = await tx.query(
      sql`select from staged_accounts where network_id = ${staged} and parent_id = ${account.id} and deleted_at is null limit 1`,
    );
    if (child || (await hasOpenTickets(tx, target))) continue;
    const { returned } = await returnCredit(services, tx, null, target);
    await tx.query(
      sql`update staged_accounts set deleted_at = ${account.deleted_at} where network_id = ${staged} and id = ${account.id}`,
    );
    await log(services, tx, { staged, live }, [account], ({ role, username }) => ({
      subject: ACCOUNT_SUBJECTS.keptDeleted(role, username),
      detail: { returned: pointsOf(returned) },
    }));
    deleted++;
  }
  return deleted;
}

/** If the backup has a different parent, caps the rate at parent and ceiling. */
async function keepCommissions(
  tx: Tx,
  { adminId, staged, live, rootLog, takenAt }: UpdateInput,
  at: Date,
): Promise<(LoggedAccount & { readonly rate: number })[]> {
  const changed: (LoggedAccount & { before: number; rate: number })[] = [];
  for (const role of EARNERS)
    changed.push(
      ...(await tx.query<LoggedAccount & { before: number; rate: number }>(
        sql`with judged as (
           select s.id, s.commission as before, p.role <> 'admin' and coalesce(a.commission_granted, s.commission_granted) as granted,
                  least(coalesce(a.commission, s.commission), greatest(admin.commission_ceiling - above.total, 0)) as rate,
                  case when p.role <> 'admin' then p.commission end as parents
           from staged_accounts s join staged_accounts p on p.network_id = ${staged} and p.id = s.parent_id
           join staged_accounts admin on admin.network_id = ${staged} and admin.id = ${adminId}
           left join accounts a on a.id = s.id and a.network_id = ${live} and ${changedSince({ live, rootLog, takenAt })}
           cross join lateral (
             select coalesce(sum(up.commission), 0)::int as total from staged_accounts up
             where up.network_id = ${staged} and up.id = any(s.chain[3:]) and up.id <> s.id) as above
           where s.network_id = ${staged} and s.role = ${role} and s.deleted_at is null
         ), wanted as (
           select id, before, granted and rate > parents as granted, case when granted then rate
             else least(rate, parents) end as rate from judged
         )
         update staged_accounts s set commission = w.rate, commission_granted = w.granted from wanted w
         where s.network_id = ${staged} and s.id = w.id and (s.commission, s.commission_granted) is distinct from (w.rate, w.granted)
         returning s.id, s.username, s.role, w.before, w.rate`,
      )),
    );
  const rates = changed.filter(({ before, rate }) => before !== rate);
  if (rates.length === 0) return [];
  await tx.query(
    sql`insert into rate_changes (network_id, nth, account_id, at, before, after)
     select ${staged}, coalesce((select max(nth) from rate_changes where network_id = ${staged}), 0) + new.nth, new.id,
       ${at}, new.before, new.after
     from unnest(${arrayOf(rates.map(({ id }) => id))}::uuid[], ${arrayOf(rates.map(({ before }) => before))}::int[],
       ${arrayOf(rates.map(({ rate }) => rate))}::int[]) with ordinality as new (id, before, after, nth)`,
  );
  return rates;
}
