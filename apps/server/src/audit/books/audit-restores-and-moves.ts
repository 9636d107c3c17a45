import { NOBODY } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { checkWith, type Check } from '../audit-check.ts';
import { WALLETS, TRANSFERS, ROOT } from '../audited-kinds.ts';

/** Boundary transfers before a network's last move belong elsewhere. */
export const LAST_MOVES = sql`select distinct on (network_id) * from moves order by network_id, border_version desc, at desc`;

/** Last departure of each network to another cell. Other cells prove the root's boundary versions up to it. */
export const DEPARTURES = sql`select distinct on (admin_id) admin_id, id, amount, version, seq from (
  select detail -> 'departed' ->> 'adminId' as admin_id, detail -> 'departed' ->> 'id' as id,
    (detail -> 'departed' ->> 'amount')::bigint as amount, (detail -> 'departed' ->> 'version')::bigint as version, seq
  from activity where network_id = ${ROOT} and detail ? 'departed') as departed order by admin_id, seq desc`;

export async function auditMoves(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  const { boundary, issuance } = WALLETS;
  return [
    await check(
      'every moved network was issued what it brought',
      'moves',
      sql`last as (${LAST_MOVES}), departures as (${DEPARTURES}), brought as (
         select m.network_id, coalesce(sum(case when t.from_wallet = w.id then t.amount else -t.amount end), 0) as amount
         from last m join networks n on n.id = m.network_id
         join wallets w on w.network_id = m.network_id and w.owner_id = n.admin_id and w.kind = ${boundary}
         left join transfers t on t.network_id = m.network_id and (
           (t.from_wallet = w.id and t.from_version <= m.border_version) or (t.to_wallet = w.id and t.to_version <= m.border_version))
         group by m.network_id
       ), issued as (
         select t.reference as id, count(*) as count, sum(t.amount) as amount, min(n.id) as network_id,
                bool_and(f.kind = ${issuance} and f.owner_id = '${sql.raw(NOBODY)}' and b.kind = ${boundary}
                  and t.to_version = coalesce(d.version, 0) + 1) as is_right
         from transfers t join wallets f on f.network_id = t.network_id and f.id = t.from_wallet
         join wallets b on b.network_id = t.network_id and b.id = t.to_wallet left join networks n on n.admin_id = b.owner_id
         left join departures d on d.admin_id = b.owner_id::text
         where t.network_id = ${ROOT} and t.kind = ${TRANSFERS.restore}
           and not (f.kind = ${boundary} and b.kind = ${issuance}) and (d.version is null or t.to_version > d.version)
         group by t.reference
       ), wrong as (
         select case
           when m.id is null then format('%s hundredths were issued for the move %s of network %s, which does not exist',
             i.amount, i.id, i.network_id)
           when m.amount is distinct from b.amount then
             format('network %s brought %s hundredths; its move %s says %s', m.network_id, b.amount, m.id, m.amount)
           when m.network_id is distinct from (select audited.trial(1)) and (
             coalesce(i.amount, 0) <> m.amount or i.count > 1 or not coalesce(i.is_right
               and i.network_id = m.network_id, m.amount = 0)) then
             format('network %s was issued %s hundredths for its move %s and should have been %s', m.network_id,
               coalesce(i.amount, 0), m.id, m.amount)
         end as problem
         from last m left join brought b on b.network_id = m.network_id full join issued i on i.id = m.id
       )`,
    ),
    await check(
      'every network that left took its credit along',
      'left_networks',
      sql`left_networks as (${DEPARTURES}), returned as (
         select w.owner_id::text as admin_id, t.reference::text as id, t.amount, t.from_version as version
         from wallets w join transfers t on t.network_id = w.network_id and t.from_wallet = w.id
         where w.network_id = ${ROOT} and w.kind = ${boundary} and t.kind = ${TRANSFERS.restore}
       ), wrong as (
         select format('the network of %s left with %s hundredths; %s were taken back for it', d.admin_id, d.amount,
           coalesce(r.amount, 0)) as problem
         from left_networks d left join returned r on r.id = d.id and r.admin_id = d.admin_id and r.version = d.version
         where coalesce(r.amount, 0) <> d.amount
         union all
         select format('%s hundredths of the network of %s were taken back; it never left', r.amount, r.admin_id)
         from returned r where not exists (select from activity where network_id = ${ROOT}
           and detail -> 'departed' ->> 'id' = r.id and detail -> 'departed' ->> 'adminId' = r.admin_id)
       )`,
    ),
    await check(
      'records from other installations are unchanged',
      'moved_activity',
      sql`wrong as (
         select format('what was told of network %s before its move %s is not as it came', m.network_id, m.id) as problem
         from moves m where told_hash(m.network_id, m.id) <> m.told_hash
         union all
         select format('row %s of what was told of network %s elsewhere came with no move of it', a.seq, a.network_id)
         from moved_activity a where not exists (select from moves m where m.network_id = a.network_id and m.id = a.move_id)
         union all
         select format('the log of network %s does not match its move %s', m.network_id, m.id) from (${LAST_MOVES}) as m
         where m.network_id is distinct from (select audited.trial(1)) and not exists (
           select from activity l where l.network_id = m.network_id and l.detail -> 'moved' ->> 'id' = m.id::text
             and l.detail -> 'moved' ->> 'told' = encode(m.told_hash, 'hex'))
       )`,
    ),
  ];
}

export async function auditRestores(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      'every restore compensates for credit that crossed the boundary since its backup',
      'restores',
      sql`given as (
         select r.network_id, r.id, r.amount,
                r.root_version_until > w.version or r.root_log_until > coalesce((select max(seq) from activity
                  where network_id = ${ROOT}), 0) as beyond,
                -- Transfers across the border of a former installation are unknown here.
                case when r.root_version_from < 0 then r.amount
                  else coalesce(sum(case when t.to_wallet = w.id then t.amount else -t.amount end), 0) end as outward
         from restores r join networks n on n.id = r.network_id
         join wallets w on w.network_id = ${ROOT} and w.owner_id = n.admin_id and w.kind = ${WALLETS.boundary}
         left join transfers t on t.network_id = ${ROOT} and (
           (t.to_wallet = w.id and t.to_version > r.root_version_from and t.to_version <= r.root_version_until)
           or (t.from_wallet = w.id and t.from_version > r.root_version_from and t.from_version <= r.root_version_until))
         group by r.network_id, r.id, r.amount, r.root_version_from, beyond
       ), made as (
         select t.network_id, t.reference, sum(case when t.from_wallet = w.id then t.amount else -t.amount
           end) as outward, count(*) as count,
                bool_and(other.kind = ${WALLETS.credit} and other.owner_id = n.admin_id) as with_admin
         from transfers t join networks n on n.id = t.network_id
         join wallets w on w.network_id = t.network_id and w.owner_id = n.admin_id and w.kind = ${WALLETS.boundary}
         left join wallets other on other.network_id = t.network_id and other.id = case when t.from_wallet = w.id
           then t.to_wallet else t.from_wallet end
         where t.kind = ${TRANSFERS.restore} and w.id in (t.from_wallet, t.to_wallet) group by t.network_id, t.reference
       ), wrong as (
         select case
           when g.id is null then format('network %s has a restore transfer for %s, which is not a restore', m.network_id, m.reference)
           when g.beyond then format('restore %s of network %s names actions the root has not taken yet', g.id, g.network_id)
           when g.amount <> g.outward then
             format('restore %s of network %s says that %s hundredths crossed the boundary in the meantime; it was %s',
               g.id, g.network_id, g.amount, g.outward)
           when coalesce(m.outward, 0) <> g.amount or m.count > 1 or not coalesce(m.with_admin, g.amount = 0) then
             format('restore %s of network %s is made up for by %s hundredths to its admin and should be by %s', g.id, g.network_id,
                    coalesce(m.outward, 0), g.amount)
         end as problem
         from given g full join made m on m.network_id = g.network_id and m.reference = g.id
         union all
         select format('transfer %s of network %s is a restore transfer and crosses no boundary', t.id, t.network_id) from transfers t
         where t.kind = ${TRANSFERS.restore} and not exists (
           select from wallets w where w.network_id = t.network_id and w.id in (t.from_wallet, t.to_wallet)
             and w.kind = ${WALLETS.boundary})
       )`,
    ),
    await check(
      'root rows undone by a restore lie between its backup and the restore',
      'undone_activity',
      sql`wrong as (
         select format('row %s of the log of the root is undone by restore %s of network %s, which was of the rows from %s to %s',
           u.seq, u.restore_id,
                       u.network_id, coalesce(r.root_log_from::text, 'none'), coalesce(r.root_log_until::text, 'none')) as problem
         from undone_activity u left join restores r on r.network_id = u.network_id and r.id = u.restore_id
         where (u.seq > r.root_log_from and u.seq <= r.root_log_until) is not true
           -- Rows about networks that left for another cell.
           and not (u.network_id = ${ROOT} and exists (select from activity l where l.network_id = ${ROOT}
             and l.detail -> 'departed' ->> 'id' = u.restore_id::text and u.seq < l.seq))
       )`,
    ),
  ];
}
