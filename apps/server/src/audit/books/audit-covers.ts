import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { checkWith, type Check } from '../audit-check.ts';
import { mayBeCleared } from '../cleared-marks.ts';
import type { Queryable } from '../../platform/db/database.ts';

const { credit, table } = WALLET_KINDS;

export async function auditCovers(db: Queryable): Promise<Check> {
  return checkWith(db)(
    "every draw's cover equals its transfers",
    'moved',
    `moved as materialized (
       select t.network_id, t.id, t.reference, t.at, case source.kind when ${credit} then t.amount else -t.amount end as amount,
              (source.kind, target.kind) in ((${credit}, ${table}), (${table}, ${credit})) as joins_right,
              case source.kind when ${table} then source.owner_id else target.owner_id end as game_id,
              case source.kind when ${table} then target.owner_id else source.owner_id end as account_id
       from transfers t join wallets source on source.network_id = t.network_id and source.id = t.from_wallet
       join wallets target on target.network_id = t.network_id and target.id = t.to_wallet
       where t.kind = ${TRANSFER_KINDS.cover}
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
