import type { Queryable } from '../db/database.ts';
import type { LedgerCheck } from '../ledger/audit-ledger.ts';

/** Checks that every escrow holds exactly the stakes of the draws that are not finished, and that exposures equal tickets. */
export async function auditTickets(db: Queryable): Promise<LedgerCheck[]> {
  const check = async (name: string, sql: string): Promise<LedgerCheck> => {
    const rows = await db.query<{ problem: string | null; checked: bigint }>(sql);
    return { name, rows: Number(rows[0]?.checked ?? 0), problems: rows.flatMap((row) => row.problem ?? []) };
  };
  return [
    await check(
      'every escrow holds the stakes of its undrawn tickets',
      `with undrawn as (
         select t.network_id, t.game_id, sum(t.stake) as stake
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where d.status in ('open', 'closed', 'drawn') group by t.network_id, t.game_id
       ), escrows as (
         select w.network_id, w.game_id, w.balance, coalesce(u.stake, 0) as stake
         from wallets w left join undrawn u on u.network_id = w.network_id and u.game_id = w.game_id where w.kind = 'escrow'
       ), wrong as (
         select format('the escrow of game %s in network %s has %s hundredths, its undrawn tickets come to %s',
                       game_id, network_id, balance, stake) as problem
         from escrows where balance <> stake
       )
       select problem, (select count(*) from escrows) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      'every settled draw paid its tickets once',
      `with paid as (
         select network_id, reference, sum(amount) as amount from transfers where kind = 'win' group by network_id, reference
       ), wrong as (
         select format('ticket %s of network %s won %s hundredths and was paid %s', t.id, t.network_id, t.win, coalesce(p.amount, 0)) as problem
         from tickets t left join paid p on p.network_id = t.network_id and p.reference = t.id
         where coalesce(t.win, 0) <> coalesce(p.amount, 0)
       )
       select problem, (select count(*) from tickets) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      "every draw's exposures equal its tickets",
      `with lines as (
         select t.network_id, t.draw_id, sum(l.qty * t.unit_price) as stake
         from tickets t, jsonb_to_recordset(t.lines) as l (qty bigint) group by t.network_id, t.draw_id
       ), sums as (
         select network_id, draw_id, sum(stake) as stake from exposures group by network_id, draw_id
       ), wrong as (
         select format('draw %s of network %s shows %s hundredths, its tickets come to %s', draw_id, network_id,
                       coalesce(s.stake, 0), coalesce(l.stake, 0)) as problem
         from lines l full join sums s using (network_id, draw_id) where l.stake is distinct from s.stake
       )
       select problem, (select count(*) from lines) as checked from (select 1) as always left join wrong on true`,
    ),
  ];
}
