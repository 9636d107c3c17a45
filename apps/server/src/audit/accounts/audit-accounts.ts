import { ROLES } from '@drawhouse/contract/core/primitives';
import { WALLET_KINDS, NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import { DEPARTURES } from '../books/audit-restores-and-moves.ts';
import { checkWith, loggedHundredths, loggedId, type Check, type CheckBySql } from '../audit-check.ts';
import { WALLETS, ROOT } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, inKinds, kindName } from '../../platform/db/sql/sql.ts';

/**
 * Commission is in hundredths of a percent. Ordering by `id` is safe, because each row is written under the account's
 * lock. `log` is the log's network.
 */
export const LOGGED_ACCOUNTS = sql`logged_accounts as materialized (
  select network_id as log, seq, id, detail ? 'parentId' or subject = 'Signed up' as created, detail ? 'returned' as deleted,
         coalesce(${loggedId('accountId')}, account_id) as account_id,
         coalesce(${loggedId('refId')}, ${loggedId('parentId')}) as parent_id,
         case when subject = 'Signed up' then 0 else ${loggedHundredths('commission')} end as commission
  from audited.standing_activity where detail ? 'accountId' or subject = 'Signed up'
)`;

const ROLE_NAMES = sql.raw(`array['${ROLES.join("', '")}']`);

export async function auditAccounts(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await accountsAsLogged(check),
    await commissionsWithinRules(check),
    await walletsOfAccounts(check),
    await networksWithLogs(check),
    await signInsLogged(check),
  ];
}

async function accountsAsLogged(check: CheckBySql): Promise<Check> {
  return check(
    'every account is as logged',
    'accounts',
    sql`${LOGGED_ACCOUNTS}, told as (
       select account_id, bool_or(created) as created, bool_or(deleted) as deleted,
              (array_agg(parent_id order by id desc) filter (where parent_id is not null))[1] as parent_id,
              (array_agg(commission order by id desc) filter (where commission is not null))[1] as commission
       from logged_accounts group by account_id
     ), first_superadmin as (
       select id from accounts where role = 'superadmin' order by id limit 1
     ), compared as (
       select coalesce(a.id, t.account_id) as account_id, a.role, a.username, a.network_id, a.deleted_at, a.chain,
              a.commission, a.parent_id, coalesce(t.created, false) as told_created, coalesce(t.deleted, false) as told_deleted,
              t.parent_id as told_parent, t.commission as told_commission, parent.chain || a.id as right_chain,
              (${ROLE_NAMES})[array_position(${ROLE_NAMES}, parent.role) + 1] as right_role,
              case when parent.role = 'superadmin' then own.id else parent.network_id end as right_network
       from accounts a full join told t on t.account_id = a.id left join accounts parent on parent.id = a.parent_id
       left join networks own on own.admin_id = a.id
       -- The server creates the first account itself.
       where a.id is distinct from (select id from first_superadmin)
     ), judged as (
       select case
         when role is null and told_created then format('account %s is gone, but the log says it was created', account_id)
         when role is null then null
         when not told_created then
           format('account %s (%s %s) of network %s is in no log, although every creation is logged', account_id, role,
             username, network_id)
         when parent_id is distinct from coalesce(told_parent, parent_id) then
           format('account %s (%s %s) of network %s is below %s; the log put it below %s', account_id, role, username, network_id,
                  parent_id, told_parent)
         when role is distinct from coalesce(right_role, 'superadmin') then
           format('account %s (%s %s) of network %s is not a %s, as an account below its parent must be', account_id,
             role, username, network_id,
                  coalesce(right_role, 'superadmin'))
         when chain is distinct from right_chain or network_id is distinct from right_network then
           format('account %s (%s %s) of network %s has the chain %s; below its parent it is %s', account_id, role, username,
                  network_id, chain, right_chain)
         when commission is distinct from told_commission then
           format('account %s (%s %s) of network %s has a commission of %s hundredths of a percent, but the log says %s',
             account_id, role, username,
                  network_id, commission, coalesce(trim_scale(told_commission)::text, 'none'))
         when (deleted_at is not null) <> told_deleted then
           format('account %s (%s %s) of network %s is %s, but the log says otherwise', account_id, role, username, network_id,
                  case when told_deleted then 'not deleted' else 'deleted' end)
       end as problem from compared
     ), wrong as (select problem from judged where problem is not null)`,
  );
}

async function commissionsWithinRules(check: CheckBySql): Promise<Check> {
  return check(
    'every commission is within the rules',
    'accounts',
    sql`wrong as (
       select format('account %s (%s %s) of network %s has a commission of %s hundredths of a percent; its parent has %s', a.id, a.role,
                     a.username, a.network_id, a.commission, p.commission) as problem
       from accounts a join accounts p on p.id = a.parent_id
       where a.deleted_at is null and not a.commission_granted and p.role not in ('superadmin', 'admin') and a.commission > p.commission
       union all
       select format('the commissions along the chain of account %s (%s %s) of network %s sum to %s hundredths of a '
                     'percent; the ceiling is %s',
                     a.id, a.role, a.username, a.network_id, along.total, admin.commission_ceiling)
       from accounts a join accounts admin on admin.id = a.chain[2]
         cross join lateral (select sum(up.commission) as total from accounts up where up.id = any(a.chain[3:])) along
       where a.deleted_at is null and along.total > admin.commission_ceiling and along.total - a.commission <= admin.commission_ceiling
     )`,
  );
}

async function walletsOfAccounts(check: CheckBySql): Promise<Check> {
  return check(
    'every account has its wallets, and each wallet its owner',
    'accounts',
    sql`owners as (
       select network_id, id as owner_id, unnest(array[${WALLETS.credit}, ${WALLETS.commission}]) as kind from accounts
       union all select network_id, id, ${WALLETS.winnings} from accounts where role = 'user'
       union all select unnest(array[network_id, ${ROOT}]), id, ${WALLETS.boundary} from accounts where role = 'admin'
       union all select ${ROOT}, '${sql.raw(NOBODY)}', ${WALLETS.issuance}
       -- The root keeps the boundary of a network that left for another cell.
       union all select ${ROOT}, d.admin_id::uuid, ${WALLETS.boundary} from (${DEPARTURES}) as d
         where d.admin_id not in (select id::text from accounts where role = 'admin')
     ), wrong as (
       select case
         when w.id is null then
           format('the %s wallet of account %s in network %s is missing', ${kindName(WALLET_KINDS, 'o.kind')}, o.owner_id, o.network_id)
         else format('wallet %s of network %s is the %s wallet of account %s, which has none there', w.id, w.network_id,
                     ${kindName(WALLET_KINDS, 'w.kind')}, w.owner_id)
       end as problem
       from owners o full join (select * from wallets where kind not in ${inKinds(WALLET_KINDS, 'table', 'escrow')}) as w
         on w.network_id = o.network_id and w.owner_id = o.owner_id and w.kind = o.kind
       where w.id is null or o.kind is null
     )`,
  );
}

async function networksWithLogs(check: CheckBySql): Promise<Check> {
  return check(
    'every network in use has a log',
    'networks',
    sql`networks as (
       select network_id, count(*) as accounts, max(last_login_at) as last from accounts
       where last_login_at is not null group by network_id
     ), wrong as (
       select format('the log of network %s is missing: %s of its accounts have signed in, the last at %s', network_id,
         accounts, last) as problem
       from networks where not exists (select from activity l where l.network_id = networks.network_id)
     )`,
  );
}

async function signInsLogged(check: CheckBySql): Promise<Check> {
  return check(
    'every last sign-in is in the log',
    'accounts',
    sql`wrong as (
       select format('account %s (%s %s) of network %s signed in at %s, but the log has no such row since then', id, role, username,
                     network_id, last_login_at) as problem
       from accounts a
       where last_login_at is not null and not exists (select from activity l where l.account_id = a.id and l.at >= a.last_login_at)
     )`,
  );
}

export async function auditApiKeys(db: Queryable): Promise<Check[]> {
  return [await logged(db), await counted(db)];
}

function logged(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every API key is in the log',
    'api_keys',
    sql`logged as materialized (
       select network_id as log, seq, ${loggedId('apiKey')} as id, detail ->> 'did' as did
         from audited.standing_activity where detail ? 'apiKey'
     ), wrong as (
       select format('API key %s of network %s is in no log', id, network_id) as problem
       from api_keys k where not exists (select from logged l where l.id = k.id and l.did = 'made')
       union all
       select format('API key %s of network %s has ended, but no log says who ended it', id, network_id)
       from api_keys k where k.ended_at is not null and not k.end_is_kept and not exists (select from logged l
         where l.id = k.id and l.did = 'ended')
       union all
       select format('API key %s of network %s is active, but row %s of the log of network %s says that it has ended',
         k.id, k.network_id, l.seq, l.log)
       from api_keys k join logged l on l.id = k.id and l.did = 'ended' where k.ended_at is null
       union all
       select format('API key %s, named in row %s of the log of network %s, is gone', l.id, l.seq, l.log)
       from logged l where l.did = 'made' and not exists (select from api_keys k where k.id = l.id)
     )`,
  );
}

/** After clearing, counters may exceed the tickets. */
function counted(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'the daily sums of each API key equal its tickets',
    'api_key_days',
    sql`laid as (
       select t.network_id, t.api_key as number, count(*) as tickets, sum(t.stake) as stake
       from tickets t where t.api_key <> 0 and t.network_id = any(array(select distinct network_id from api_keys)) group by 1, 2
     ), told as (
       select network_id, number, sum(tickets) as tickets, sum(stake) as stake from api_key_days group by 1, 2
     ), wrong as (
       select format('API key %s of network %s has bet %s tickets of %s hundredths, its days say %s of %s', number, network_id,
                     coalesce(l.tickets, 0), coalesce(l.stake, 0), coalesce(d.tickets, 0), coalesce(d.stake, 0)) as problem
       from laid l full join told d using (network_id, number)
       where (coalesce(l.tickets, 0), coalesce(l.stake, 0)) <> (coalesce(d.tickets, 0), coalesce(d.stake, 0))
         and not (coalesce(l.tickets, 0) <= coalesce(d.tickets, 0) and coalesce(l.stake, 0) <= coalesce(d.stake, 0)
                  and exists (select from clearings c
                    where c.network_id = coalesce(l.network_id, d.network_id) and c.model = 'ticket' and c.removed > 0))
       union all
       select format('tickets of network %s name the API key %s, which does not exist', network_id, number)
       from laid l where not exists (select from api_keys k where k.network_id = l.network_id and k.number = l.number)
     )`,
  );
}
