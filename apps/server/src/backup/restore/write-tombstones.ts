import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import type { Exchange } from './reconcile-with-root.ts';
import { paidWins, WON_AT } from '../../tickets/tickets.sql.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

const comesBack = (
  staged: number,
): Sql => sql`exists (select from draws b where b.network_id = ${staged} and b.id = d.id
  and (b.status <> 'void' or (d.status = 'void' and b.ticket_count >= d.ticket_count)))`;

const OF_DRAW = `opens_at, closes_at, draws_at, clock_number, closed_at, finished_at, id, game_id, terms_id,
  ticket_count, status, source, void_cause,
  booster, tickets_cleared, commitment, seed, ticket_root, result, result_label, beacon_signatures, outside`;
const OF_TICKET = 'stake, placed_at, id, draw_id, account_id, request, request_hash, digest, lines';

/**
 * Covers draws and tickets that the staged network lacks, earlier undone ones, and cleared history. The books are
 * closed, so nothing follows.
 */
export async function writeTombstones({ clock }: Services, tx: Tx, exchange: Exchange): Promise<void> {
  const { staged, live, takenAt } = exchange;
  const left = sql`select id from undone_draws where network_id = ${staged} and undone_at > ${takenAt}`;
  await tx.query(sql`delete from undone_tickets where network_id = ${staged} and draw_id in (${left})`);
  await tx.query(sql`delete from undone_draws where network_id = ${staged} and undone_at > ${takenAt}`);
  await copyTombstones(tx, exchange);
  await copyClearingTombstones(tx, exchange);
  await tx.query(
    sql`insert into undone_draws (network_id, undone_at, taken_at, ${sql.raw(OF_DRAW)})
     select ${staged}, ${clock.now()}, ${takenAt}, ${sql.raw(columnsOf('d', OF_DRAW))} from draws d
     where d.network_id = ${live} and not ${comesBack(staged)} on conflict do nothing`,
  );
  await tx.query(
    sql`insert into undone_tickets (network_id, ${sql.raw(OF_TICKET)}, win, claimed_at)
     select ${staged}, ${sql.raw(columnsOf('t', OF_TICKET))},
            case when d.status = 'settled' or p.account_id is not null then coalesce(w.win, 0) end,
            case when w.win is not null then ${sql.raw(WON_AT)} end
     from undone_draws u join draws d on d.network_id = ${live} and d.id = u.id
       join tickets t on t.network_id = ${live} and t.draw_id = d.id
     left join ${paidWins(sql`${live}::int`)} w on w.network_id = ${live} and w.draw_id = d.id and w.ticket_id = t.id
     left join draw_settlements s on s.network_id = ${live} and s.draw_id = d.id
     left join draw_settlings b on b.network_id = ${live} and b.draw_id = d.id and d.status = 'settling'
     left join player_settlements p on p.network_id = ${live} and p.draw_id = d.id and p.account_id = t.account_id
     left join ticket_claims c on c.network_id = ${live} and c.ticket_id = t.id
     where u.network_id = ${staged} on conflict do nothing`,
  );
}

async function copyTombstones(tx: Tx, { staged, live }: Exchange): Promise<void> {
  const draw = `undone_at, taken_at, ${OF_DRAW}`;
  await tx.query(
    sql`insert into undone_draws (network_id, ${sql.raw(draw)}) select ${staged}, ${sql.raw(columnsOf('d', draw))} from undone_draws d
     where d.network_id = ${live} and not ${comesBack(staged)} on conflict do nothing`,
  );
  const ticket = `${OF_TICKET}, win, claimed_at`;
  await tx.query(
    sql`insert into undone_tickets (network_id, ${sql.raw(ticket)}) select ${staged}, ${sql.raw(columnsOf('t', ticket))}
      from undone_tickets t
     join undone_draws u on u.network_id = ${staged} and u.id = t.draw_id where t.network_id = ${live} on conflict do nothing`,
  );
}

async function copyClearingTombstones(tx: Tx, { staged, live }: Exchange): Promise<void> {
  const clearing = 'id, model, started_at, starts_at, ends_at, removed';
  await tx.query(
    sql`insert into undone_clearings (network_id, ${sql.raw(clearing)}) select ${staged}, ${sql.raw(clearing)} from (
       select ${sql.raw(clearing)} from clearings where network_id = ${live} union all select ${sql.raw(clearing)}
         from undone_clearings where network_id = ${live}) c
     where not exists (select from clearings b where b.network_id = ${staged} and b.id = c.id and b.model = c.model)
     on conflict do nothing`,
  );
  const isThere = (table: string, column: string): Sql =>
    sql`exists (select from ${sql.raw(table)} b where b.network_id = ${staged} and b.${sql.raw(column)} = c.id)`;
  await tx.query(
    sql`insert into undone_cleared (network_id, id) select ${staged}, id from (
       select draw_id as id from cleared_draws where network_id = ${live} union all select request from cleared_requests
         where network_id = ${live}
       union all select id from undone_cleared where network_id = ${live}) c
     where not (${isThere('draws', 'id')} or ${isThere('cleared_draws', 'draw_id')} or ${isThere('tickets', 'request')}
                or ${isThere('cleared_requests', 'request')}) on conflict do nothing`,
  );
}

function columnsOf(alias: string, columns: string): string {
  return columns
    .split(',')
    .map((name) => `${alias}.${name.trim()}`)
    .join(', ');
}
