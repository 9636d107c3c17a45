import { NOBODY, ROOT_NETWORK, TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../../platform/db/database.ts';
import { checkWith } from '../audit-check.ts';
import type { Check } from '../audit-check.ts';

/** SELECT for each network's last move; earlier boundary transfers belong elsewhere. */
export const LAST_MOVES =
  'select distinct on (network_id) * from moves order by network_id, border_version desc, at desc';

export async function auditMoves(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  const { boundary, issuance } = WALLET_KINDS;
  return [
    await check(
      'every moved network was issued what it brought',
      'moves',
      `last as (${LAST_MOVES}), brought as (
         select m.network_id, coalesce(sum(case when t.from_wallet = w.id then t.amount else -t.amount end), 0) as amount
         from last m join networks n on n.id = m.network_id
         join wallets w on w.network_id = m.network_id and w.owner_id = n.admin_id and w.kind = ${boundary}
         left join transfers t on t.network_id = m.network_id and (
           (t.from_wallet = w.id and t.from_version <= m.border_version) or (t.to_wallet = w.id and t.to_version <= m.border_version))
         group by m.network_id
       ), issued as (
         select t.reference as id, count(*) as count, sum(t.amount) as amount, min(n.id) as network_id,
                bool_and(f.kind = ${issuance} and f.owner_id = '${NOBODY}' and b.kind = ${boundary} and t.to_version = 1) as is_right
         from transfers t join wallets f on f.network_id = t.network_id and f.id = t.from_wallet
         join wallets b on b.network_id = t.network_id and b.id = t.to_wallet left join networks n on n.admin_id = b.owner_id
         where t.network_id = ${ROOT_NETWORK} and t.kind = ${TRANSFER_KINDS.restore} group by t.reference
       ), wrong as (
         select case
           when m.id is null then format('%s hundredths were issued for the move %s of network %s, which does not exist', i.amount, i.id, i.network_id)
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
      'records from other installations are unchanged',
      'moved_activity',
      `wrong as (
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
