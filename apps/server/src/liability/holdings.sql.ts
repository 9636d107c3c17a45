import { inKinds, sql, type Sql } from '../platform/db/sql/sql.ts';
import { HOLDINGS, WALLET_KINDS, type Holding } from '@drawhouse/rules/records/ledger-kinds';

export function eachHolding(of: (holding: Holding) => string): string {
  return HOLDINGS.map(of).join(', ');
}

const { credit, commission, winnings, table, escrow } = WALLET_KINDS;

/** For wallet `w`; needs {@link WITH_OWNER} after its FROM. */
const HOLDING = `case w.kind
  when ${credit} then case when a.role = 'user' then 'player_credit' else 'staff_credit' end
  when ${escrow} then 'escrow' when ${winnings} then 'winnings' when ${commission} then 'commission' when ${table} then 'tables'
  else 'outside' end`;
const WITH_OWNER = `left join accounts a on w.kind in ${inKinds(WALLET_KINDS, 'credit')} and a.id = w.owner_id`;

export const STAGED_HOLDINGS = sql`select w.network_id, w.id, ${sql.raw(HOLDING)} as holding from wallets w
  left join staged_accounts a on a.network_id = w.network_id and a.id = w.owner_id`;

export const WALLET_HOLDINGS = `select w.network_id, w.id, w.balance, ${HOLDING} as holding from wallets w ${WITH_OWNER}`;

export function sumsBy(expression: string): string {
  return eachHolding((name) => `coalesce(sum(${expression}) filter (where holding = '${name}'), 0)::bigint as ${name}`);
}

/** Movements within a network in [from, until). Excludes cleared ones. `held` is {@link WALLET_HOLDINGS}. */
export function movedBetween(from: Sql, until: Sql): Sql {
  const within = sql`at >= ${from}::timestamptz and at < ${until}::timestamptz`;
  return sql`select network_id, ${sql.raw(sumsBy('amount'))} from (
      select network_id, id, sum(amount) as amount from (
        select network_id, to_wallet as id, amount from transfers where ${within}
        union all select network_id, from_wallet, -amount from transfers where ${within}
      ) as sides group by network_id, id
    ) as moved join held using (network_id, id) group by network_id`;
}
