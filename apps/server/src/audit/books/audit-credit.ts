import { IN_MASSES, NOBODY, TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { DEPARTURES, LAST_MOVES } from './audit-restores-and-moves.ts';
import {
  checkWith,
  LOGGED_AT,
  loggedHundredths,
  loggedId,
  type Check,
  type CheckBySql,
  explainByClearing,
  orderMark,
  mayBeCleared,
} from '../audit-check.ts';
import { WALLETS, TRANSFERS, ROOT } from '../audited-kinds.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql, inKinds, kindName } from '../../platform/db/sql/sql.ts';

/** Tickets, draws or restores explain these. Logged calls explain the rest. */
const EXPLAINED_ELSEWHERE = inKinds(
  TRANSFER_KINDS,
  'stake',
  'win',
  'refund',
  'collect',
  'commission',
  'restore',
  'cover',
  'correct',
);

const TAKES = inKinds(TRANSFER_KINDS, 'takeBack', 'retire', 'table-reset');

const { credit, commission, winnings, table, issuance, boundary } = WALLETS;

/** Transfer, log row and boundary half read the clock separately. */
const TIMES_WITHIN = sql`interval '1 hour'`;

export async function auditCredit(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [await orderedAsLogged(check), await returnedAsLogged(check), await halvesOfBorders(check)];
}

async function orderedAsLogged(check: CheckBySql): Promise<Check> {
  return check(
    'every ordered transfer is logged',
    'ordered',
    sql`logged as materialized (
       select network_id as log, seq, ${LOGGED_AT} as told_at, account_id as actor_id,
         ${loggedId('transferId')} as transfer_id, ${loggedId('targetId')} as target_id,
         ${loggedId('ofId')} as of_id, ${loggedId('reverses')} as reverses,
              coalesce(${loggedHundredths('amount')}, ${loggedHundredths('points')}) as amount, detail ->> 'note' as note,
              detail ->> 'direction' as direction
       from audited.standing_activity where detail ? 'transferId'
     ), ordered as (
       -- A border transfer is logged by its half in the network.
       select *, count(*) over (partition by id) as same from transfers
       where kind not in ${EXPLAINED_ELSEWHERE} and kind <> ${TRANSFERS.return}
         and not (network_id = ${ROOT} and kind in ${inKinds(TRANSFER_KINDS, 'give', 'takeBack')} and reference is not null)
     ), compared as (
       select o.*, l.log, l.seq, l.told_at, l.transfer_id, l.target_id, l.actor_id as told_actor,
         l.amount as told_amount, l.note as told_note,
              coalesce(case
                when o.kind in ${inKinds(TRANSFER_KINDS, 'give', 'takeBack')} then target.kind = ${credit}
                  and l.direction = ${kindName(TRANSFER_KINDS, 'o.kind')}
                  and (other.kind = ${boundary} or (other.kind = ${credit} and other.owner_id = coalesce(l.of_id, l.actor_id)))
                  and ((l.reverses is null and other.kind = ${boundary}) or o.reference is not distinct from l.reverses)
                  and not exists (
                    -- A reversal mirrors the reversed transfer, which clearing may have removed.
                    select from transfers r where r.network_id = o.network_id and r.id = l.reverses
                      and r.kind not in ${sql.raw(IN_MASSES)}
                      and (r.amount, r.from_wallet, r.to_wallet) is distinct from (o.amount, o.to_wallet, o.from_wallet))
                when o.kind in ${inKinds(TRANSFER_KINDS, 'issue', 'retire')} then target.kind = ${credit} and other.kind = ${issuance}
                  and l.direction = case o.kind when ${TRANSFERS.issue} then 'give' else 'takeBack' end
                when o.kind = ${TRANSFERS.payout} then
                  target.kind = ${credit} and other.kind = ${commission} and other.owner_id = l.target_id
                when o.kind = ${TRANSFERS.claim} then
                  target.kind = ${credit} and other.kind = ${winnings} and other.owner_id = coalesce(l.actor_id, l.target_id)
                when o.kind in ${inKinds(TRANSFER_KINDS, 'table-add', 'table-reset')} then
                  target.kind = ${table} and other.kind = ${credit} and other.owner_id = n.admin_id
              end and target.owner_id = coalesce(l.target_id, o.reference), false) as joins_right
       from ordered o full join logged l on l.transfer_id = o.id left join networks n on n.id = o.network_id
       left join wallets target on target.network_id = o.network_id
         and target.id = case when o.kind in ${TAKES} then o.from_wallet else o.to_wallet end
       left join wallets other on other.network_id = o.network_id
         and other.id = case when o.kind in ${TAKES} then o.to_wallet else o.from_wallet end
     ), one_sided as (
       -- A network's transfers appear in its own log and the root's, so compare across all networks.
       select 0 as network_id, case when id is null then ${orderMark(`coalesce(transfer_id, '${NOBODY}')`)}
         else -${orderMark('id')} end as mark,
              coalesce(told_at, at) as at,
              case when id is null
                then format('transfer %s, named in row %s of the log of network %s, is gone',
                  coalesce(transfer_id::text, 'without an id'), seq, log)
              else format('transfer %s of network %s (%s of %s hundredths) is in no log, although every order is logged',
                id, network_id, ${kindName(TRANSFER_KINDS, 'kind')}, amount)
              end as problem, case when id is null then array(select n.id from networks n) else array[network_id] end as networks
       from compared where id is null or log is null
     ), ${ORDERED_BY_ALL}, judged as (
       select case
         when id is null or log is null then null
         when same > 1 then
           format('transfer %s of network %s is there %s times; row %s of the log of network %s orders it once', id,
             network_id, same, seq, log)
         when actor_id is distinct from told_actor then
           format('transfer %s of network %s names %s as its actor; row %s of the log of network %s says %s', id, network_id,
                  coalesce(actor_id::text, 'nobody'), seq, log, told_actor)
         -- A claim moves its ticket's win.
         when amount is distinct from told_amount and kind <> ${TRANSFERS.claim} then
           format('transfer %s of network %s has %s hundredths; row %s of the log of network %s says %s', id, network_id, amount,
                  seq, log, trim_scale(told_amount))
         when note is distinct from coalesce(told_note, '') then
           format('transfer %s of network %s has another note than row %s of the log of network %s', id, network_id, seq, log)
         when at not between told_at - ${TIMES_WITHIN} and told_at + ${TIMES_WITHIN} then
           format('transfer %s of network %s was made at %s; row %s of the log of network %s is of %s', id, network_id,
             at, seq, log, told_at)
         when not joins_right then
           format('transfer %s of network %s (%s) is between other wallets than row %s of the log of network %s says', id,
                  network_id, ${kindName(TRANSFER_KINDS, 'kind')}, seq, log)
       end as problem from compared c
     ), wrong as (select problem from judged where problem is not null union all select problem from unexplained)`,
  );
}

const ORDERED_BY_ALL = explainByClearing({
  about: 'ordered',
  what: 'ordered transfers and their log rows',
  models: ['userlog', 'refertransaction', 'usertransaction'],
  clearedIn: 'any(o.networks)',
  marks: "(select 0 as network_id, sum(marks) as marks from cleared_marks where about = 'ordered')",
});

async function returnedAsLogged(check: CheckBySql): Promise<Check> {
  return check(
    'every deleted account returned what the log says',
    'returned',
    sql`logged as materialized (
       select network_id as log, seq, account_id as actor_id, ${loggedId('accountId')} as account_id,
         ${loggedHundredths('returned')} as amount
       from audited.standing_activity where detail ? 'returned'
     ), returned as materialized (
       select t.*, case d.kind when ${table} then n.admin_id else d.owner_id end as from_owner,
              case c.kind when ${table} then n.admin_id else c.owner_id end as to_owner
       from transfers t join networks n on n.id = t.network_id join wallets d on d.network_id = t.network_id and d.id = t.from_wallet
       join wallets c on c.network_id = t.network_id and c.id = t.to_wallet
       where t.kind = ${TRANSFERS.return}
     ), judged as (
       select case
         when l.log is null then
           format('transfer %s of network %s returns credit of account %s; no log says it was deleted', t.id, t.network_id, t.reference)
         when t.actor_id is distinct from l.actor_id then
           format('transfer %s of network %s names %s as its actor; row %s of the log of network %s says %s', t.id, t.network_id,
                  coalesce(t.actor_id::text, 'nobody'), l.seq, l.log, l.actor_id)
         when t.from_owner <> t.reference or t.to_owner not in (t.reference, a.parent_id) then
           format('transfer %s of network %s moves credit from %s to %s; account %s returns it to its parent %s', t.id,
                  t.network_id, t.from_owner, t.to_owner, t.reference, a.parent_id)
       end as problem
       from returned t left join logged l on l.account_id = t.reference left join accounts a on a.id = t.reference
       union all
       select format('account %s returned %s hundredths to its parent; row %s of the log of network %s says %s', l.account_id,
                     coalesce(t.amount, 0), l.seq, l.log, trim_scale(l.amount))
       from logged l left join (
         select reference, sum(amount) as amount from returned where to_owner <> reference group by reference
       ) as t on t.reference = l.account_id
       where coalesce(t.amount, 0) is distinct from l.amount
     ), wrong as (select problem from judged where problem is not null)`,
  );
}

async function halvesOfBorders(check: CheckBySql): Promise<Check> {
  return check(
    'every transfer across a boundary has its other half',
    'halves',
    sql`halves as materialized (
       select t.network_id, w.owner_id, t.id, t.at, t.reference, t.kind, t.actor_id, t.note, case when t.network_id = ${ROOT}
         then 1 else -1 end * t.got as outward,
              t.version
       from wallets w cross join lateral (
         -- One lookup per side: a combined condition would scan all networks.
         select x.*, x.amount as got, x.to_version as version from transfers x where x.network_id = w.network_id and x.to_wallet = w.id
         union all
         select x.*, -x.amount, x.from_version from transfers x where x.network_id = w.network_id and x.from_wallet = w.id
       ) as t
       where w.kind = ${boundary}
     ), moved as materialized (${LAST_MOVES}), at_root as (
       -- Excludes halves undone by a restore. Versions are shifted to those on the network's side.
       select h.*, h.version - coalesce(d.version, 0) - coalesce(shift.by, 0)
         + coalesce(m.border_version - (m.amount <> 0)::int, 0) as told_version from halves h
       join networks n on n.admin_id = h.owner_id left join moved m on m.network_id = n.id
       left join (${DEPARTURES}) as d on d.admin_id = h.owner_id::text
       left join lateral (
         select sum(r.root_version_until - r.root_version_from - (r.amount <> 0)::int) as by from restores r
         where r.network_id = n.id and r.root_version_until < h.version and r.root_version_from >= coalesce(d.version, 0)
       ) as shift on true
       where h.network_id = ${ROOT} and h.version > coalesce(d.version, 0) and m.id is distinct from h.reference
         and not exists (
         select from restores r where r.network_id = n.id and h.version > r.root_version_from and h.version <= r.root_version_until)
     ), wrong as (
       select format('transfer %s of network %s (%s of %s hundredths) has no other half across the boundary of the network of %s',
                     coalesce(r.id, n.id), coalesce(r.network_id, n.network_id), ${kindName(TRANSFER_KINDS, 'coalesce(r.kind, n.kind)')},
                     abs(coalesce(r.outward, n.outward)), coalesce(r.owner_id, n.owner_id)) as problem
       from at_root as r full join (
         select h.* from halves h left join moved m on m.network_id = h.network_id
         where h.network_id <> ${ROOT} and h.kind <> ${TRANSFERS.restore} and h.version > coalesce(m.border_version, 0)
       ) as n
         on r.owner_id = n.owner_id and r.told_version = n.version and r.reference = n.reference and r.kind = n.kind
           and r.outward = n.outward
           and r.actor_id = n.actor_id and r.note = n.note
           and r.at between n.at - ${TIMES_WITHIN} and n.at + ${TIMES_WITHIN}
       where r.id is null or n.id is null
     )`,
  );
}

export async function auditCovers(db: Queryable): Promise<Check> {
  return checkWith(db)(
    "every draw's cover equals its transfers",
    'moved',
    sql`moved as materialized (
       select t.network_id, t.id, t.reference, t.at, case source.kind when ${credit} then t.amount else -t.amount end as amount,
              (source.kind, target.kind) in ((${credit}, ${table}), (${table}, ${credit})) as joins_right,
              case source.kind when ${table} then source.owner_id else target.owner_id end as game_id,
              case source.kind when ${table} then target.owner_id else source.owner_id end as account_id
       from transfers t join wallets source on source.network_id = t.network_id and source.id = t.from_wallet
       join wallets target on target.network_id = t.network_id and target.id = t.to_wallet
       where t.kind = ${TRANSFERS.cover}
     ), sums as (
       select network_id, reference as draw_id, sum(amount) as amount from moved group by network_id, reference
     ), judged as (
       select case
         when d.id is null and not ${mayBeCleared('m.network_id', 'm.at', ['draw'])} then
           format('transfer %s of network %s covers draw %s, which does not exist', m.id, m.network_id, coalesce(m.reference::text, 'none'))
         when not m.joins_right or m.account_id <> n.admin_id or m.game_id <> d.game_id then
           format('transfer %s of network %s covers draw %s between other wallets than the credit of the admin and '
                  'the table of its game', m.id,
                  m.network_id, m.reference)
       end as problem
       from moved m join networks n on n.id = m.network_id left join draws d on d.network_id = m.network_id and d.id = m.reference
       union all
       select format('draw %s of network %s has a cover of %s hundredths; its transfers come to %s', d.id, d.network_id,
         coalesce(d.cover, 0),
                     coalesce(s.amount, 0))
       from draws d left join sums s on s.network_id = d.network_id and s.draw_id = d.id
       where coalesce(d.cover, 0) <> coalesce(s.amount, 0)
       union all
       select format('draw %s of network %s has a cover of %s hundredths, and its result was not declared', id, network_id, cover)
       from draws where cover is not null and (status = 'void' or (status in ('settling', 'settled') and source <> 'declared'))
     ), wrong as (select problem from judged where problem is not null)`,
  );
}
