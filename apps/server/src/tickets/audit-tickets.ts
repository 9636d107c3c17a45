import type { Queryable } from '../db/database.ts';
import { ticketDigest } from '@drawhouse/rules/fair';
import { checkWith } from '../ledger/audit-ledger.ts';
import type { LedgerCheck } from '../ledger/audit-ledger.ts';
import type { StoredLine } from './tickets.sql.ts';

/**
 * Checks the tickets: that escrows hold the undrawn stakes, that each is as it was taken and was paid once, and that everything
 * summed from them (exposures, digests, settlements, rollups) equals them.
 */
export async function auditTickets(db: Queryable): Promise<LedgerCheck[]> {
  const check = checkWith(db);
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
    await check(
      'every ticket of a settled draw is settled, every other is not',
      `with wrong as (
         select format('ticket %s of network %s has %s, its draw is %s', t.id, t.network_id,
                       coalesce('the win ' || t.win, 'no win'), d.status) as problem
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where (t.win is not null) <> (d.status = 'settled')
       )
       select problem, (select count(*) from tickets) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      "every draw's digest is that of its tickets",
      `with digests as (
         select d.network_id, d.id, d.ticket_digest, d.ticket_count, count(t.id) as tickets,
                sha256(coalesce(string_agg(t.digest, '' order by t.id), '')) as digest
         from draws d left join tickets t on t.network_id = d.network_id and t.draw_id = d.id
         where d.ticket_digest is not null group by d.network_id, d.id
       ), wrong as (
         select format('draw %s of network %s was closed with %s tickets, now it has %s, or other ones', id, network_id, ticket_count, tickets) as problem
         from digests where ticket_count <> tickets or ticket_digest <> digest
       )
       select problem, (select count(*) from digests) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      "every player's settlement of a draw equals the tickets",
      `with played as (
         select network_id, draw_id, account_id, sum(stake) as stake, sum(win) as win from tickets where win is not null
         group by network_id, draw_id, account_id
       ), wrong as (
         select format('the settlement of player %s in draw %s of network %s does not equal the tickets', account_id, draw_id, network_id) as problem
         from player_settlements s full join played p using (network_id, draw_id, account_id)
         where (s.stake, s.win) is distinct from (p.stake::bigint, p.win::bigint)
       )
       select problem, (select count(*) from player_settlements) as checked from (select 1) as always left join wrong on true`,
    ),
    await check(
      'every rollup equals the settlements below its account',
      `with settled as (
         select s.network_id, up.id as account_id, s.game_id, sum(s.stake) as stake, sum(s.win) as win,
                sum(s.super_commission + s.dist_commission + s.retail_commission + s.user_commission) as commission
         from player_settlements s join accounts a on a.id = s.account_id join accounts up on up.id = any(a.chain)
         group by s.network_id, up.id, s.game_id
       ), rolled as (
         select network_id, account_id, game_id, grain, sum(stake) as stake, sum(win) as win,
                sum(super_commission + dist_commission + retail_commission + user_commission) as commission
         from rollups group by network_id, account_id, game_id, grain
       ), compared as (
         select coalesce(s.network_id, r.network_id) as network_id, coalesce(s.account_id, r.account_id) as account_id, grains.grain,
                (s.stake, s.win, s.commission) is distinct from (r.stake, r.win, r.commission) as wrong
         from (values ('day'), ('quarter')) as grains (grain)
         cross join settled s
         full join rolled r on r.network_id = s.network_id and r.account_id = s.account_id and r.game_id = s.game_id and r.grain = grains.grain
       ), wrong as (
         select format('the %s rollups of account %s in network %s do not equal the settlements', grain, account_id, network_id) as problem
         from compared where wrong
       )
       select problem, (select count(*) from rollups) as checked from (select 1) as always left join wrong on true`,
    ),
    await auditDigests(db),
  ];
}

const PAGE_ROWS = 10_000;

/** Recomputes the digest of every ticket from its lines, in pages. */
async function auditDigests(db: Queryable): Promise<LedgerCheck> {
  const problems: string[] = [];
  let rows = 0;
  for (let after = ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000']; ;) {
    const page = await db.query<{
      network_id: string;
      id: string;
      draw_id: string;
      lines: StoredLine[];
      stake: bigint;
      digest: Buffer;
    }>(
      `select network_id, id, draw_id, lines, stake, digest from tickets where (network_id, id) > ($1, $2)
       order by network_id, id limit ${PAGE_ROWS}`,
      after,
    );
    for (const { network_id, id, draw_id, lines, stake, digest } of page)
      if (!digest.equals(ticketDigest({ ticketId: id, drawId: draw_id, lines, stake })))
        problems.push(`ticket ${id} of network ${network_id} was changed`);
    rows += page.length;
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) break;
    after = [last.network_id, last.id];
  }
  return { name: 'every ticket is as it was taken', rows, problems };
}
