import { TRANSFER_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { sql, inKinds, kindName, type Sql } from '../../platform/db/sql/sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { checkWith, loggedHundredths, type Check } from '../audit-check.ts';
import { WALLETS, TRANSFERS, ROOT } from '../audited-kinds.ts';

const { give } = TRANSFERS;
const KINDS = inKinds(TRANSFER_KINDS, 'give', 'takeBack');

/** Transfers of the root between issuance and wallets of a kind, one row per message and direction. */
const withIssuance = (
  kind: Sql,
): Sql => sql`select min(t.id::text) as id, t.kind, sum(t.amount) as amount, count(*) as count,
    t.reference, other.owner_id
  from wallets i cross join lateral (
    select x.*, x.to_wallet as other from transfers x
    where x.network_id = i.network_id and x.from_wallet = i.id and x.kind in ${KINDS}
    union all select x.*, x.from_wallet from transfers x
    where x.network_id = i.network_id and x.to_wallet = i.id and x.kind in ${KINDS}
  ) as t join wallets other on other.network_id = i.network_id and other.id = t.other and other.kind = ${kind}
  where i.network_id = ${ROOT} and i.kind = ${WALLETS.issuance}
  group by t.kind, t.reference, other.owner_id`;

/** `npm run group -- audit` compares both cells. */
export async function auditAcrossCells(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      'every message about credit in another cell has its transfers, its number and its log row',
      'sent_credit',
      sql`expected as (
         select id, case when kind = ${give} and settled_at is null or settled_at is not null and refusal is null
           then case when kind = ${give} then amount else -amount end else 0 end as moved from sent_credit
       ), actual as (
         -- A message may move its credit there and back, if its cell answers in another way than before.
         select reference, min(id) as id, sum(count) as count, sum(case when kind = ${give} then amount else -amount end) as moved
         from (${withIssuance(WALLETS.credit)}) one group by reference
       ), wrong as (
         select format('message %s should have moved %s hundredths away; %s transfers moved %s, the first is %s',
           coalesce(e.id, a.reference), coalesce(e.moved, 0), coalesce(a.count, 0), coalesce(a.moved, 0), coalesce(a.id, 'none'))
           as problem
         from expected e full join actual a on a.reference = e.id
         where e.id is null or e.moved <> coalesce(a.moved, 0)
         union all
         select format('messages to the network of %s are numbered up to %s; there are %s', admin_id, max(number), count(*))
         from sent_credit group by admin_id having max(number) <> count(*)
         union all
         select format('no log says that message %s moves %s hundredths (%s)', id, amount, ${kindName(TRANSFER_KINDS, 's.kind')})
         from sent_credit s where not exists (
           select from activity l where l.network_id = ${ROOT} and l.detail ->> 'messageId' = s.id::text
             and ${loggedHundredths('amount')} = s.amount and l.detail ->> 'direction' = ${kindName(TRANSFER_KINDS, 's.kind')})
       )`,
    ),
    await check(
      'every transfer for another cell has its message',
      'received_credit',
      sql`actual as (${withIssuance(WALLETS.boundary)}), wrong as (
         select format('%s transfers move %s hundredths for message %s, which says %s; the first is %s', a.count, a.amount,
           a.reference, coalesce(r.amount, 0), a.id) as problem
         from actual a left join received_credit r on r.id = a.reference and r.kind = a.kind and r.refusal is null
           and r.admin_id = a.owner_id
         where r.amount is distinct from a.amount or a.count <> 1
         union all
         select format('messages of %s to the network of %s are numbered up to %s; there are %s', cell, admin_id, max(number), count(*))
         from received_credit group by admin_id, cell having max(number) <> count(*)
       )`,
    ),
  ];
}
