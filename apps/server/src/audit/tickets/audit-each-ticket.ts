import { ticketDigest } from '@drawhouse/rules/fair/fair';
import { winHundredths } from '@drawhouse/rules/games/wins';
import { PAY_SCALE } from '@drawhouse/rules/games/game-rules';
import { MOST_PROBLEMS } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { AuditedDraw, DrawChunk } from '../draws/audit-draw-sums.ts';
import { linesOf, linesText } from '@drawhouse/rules/games/ticket-lines';
import { READ_LINES } from '../audited-rows.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

interface AuditedTicket {
  id: string;
  draw_id: string;
  account_id: string;
  lines: string;
  stake: bigint;
  /** Null without a row in `ticket_wins`. */
  win: bigint | null;
  digest: Buffer;
  placed_at: Date;
}

export interface TicketFindings {
  readonly tickets: readonly string[];
  readonly settlements: readonly string[];
}

/** Digest of ticket `t`. Valid for sorted lines and keys without escapes. */
export const digestWith = (lines: Sql): Sql =>
  sql`sha256(convert_to('["' || t.id || '","' || t.draw_id || '","' || t.stake || '",[["' ||
    replace(replace(${lines}, '*', '",'), ' ', '],["') || ']]]', 'UTF8'))`;
/** Lines of ticket `t` in the order of older digests. */
export const SORTED = sql`(select string_agg(line, ' ' order by split_part(line, '*', 1) collate "C", length(line), line collate "C")
  from string_to_table(t.lines, ' ') as line)`;

const wrongSettlements = ({ networkId, ids }: DrawChunk): Sql => sql`
  select coalesce(p.draw_id, s.draw_id) as draw_id, account_id, case
    when s.draw_id is null then
      format('player %s has no settlement of draw %s of network %s; the tickets come to stake %s, win %s hundredths',
        account_id, p.draw_id, ${networkId}::int,
             p.stake, p.win)
    when p.draw_id is null then
      format('the settlement of player %s in draw %s of network %s has stake %s, win %s hundredths; there are no such tickets',
        account_id, s.draw_id,
             ${networkId}::int, s.stake, s.win)
    else
      format('the settlement of player %s in draw %s of network %s does not equal the tickets: stake %s, win %s '
             'hundredths; they come to %s and %s',
             account_id, s.draw_id, ${networkId}::int, s.stake, s.win, p.stake, p.win)
  end as problem
  from (
    select draw_id, account_id, sum(stake) as stake, coalesce(sum(due), 0) as win from examined where is_paid group by draw_id, account_id
  ) as p full join (
    select * from player_settlements where network_id = ${networkId} and draw_id = any(${ids}::uuid[])
  ) as s using (draw_id, account_id)
  where (s.stake, s.win) is distinct from (p.stake::bigint, p.win::bigint)`;

/** PostgreSQL preselects suspicious tickets; exact rules run here. */
export async function examineTickets(db: Queryable, chunk: DrawChunk): Promise<TicketFindings> {
  const { networkId, draws, ids } = chunk;
  const [found] = await db.query<{ suspects: string[] | null; settlements: string[] | null }>(
    sql`with examined as materialized (
       select t.id, t.draw_id, t.account_id, t.stake, l.win as due, paid.is_paid,
              l.broken or l.units * d.price <> t.stake
                or case when paid.is_paid then coalesce(l.win, 0) <> coalesce(w.win, 0) else w.win is not null end
                or t.placed_at < d.opens_at or t.placed_at >= d.closes_at
                or (t.digest <> ${digestWith(sql`t.lines`)} and t.digest <> ${digestWith(SORTED)}) as suspect
       from tickets t
       join unnest(${ids}::uuid[], ${draws.map((draw) => draw.unit_price)}::bigint[],
         ${draws.map((draw) => JSON.stringify(draw.pays_by_key ?? {}))}::jsonb[],
           ${draws.map((draw) => draw.paid_up_to)}::uuid[], ${draws.map((draw) => draw.opens_at)}::timestamptz[],
             ${draws.map((draw) => draw.closes_at)}::timestamptz[])
         as d (id, price, pays, paid_up_to, opens_at, closes_at) on d.id = t.draw_id
       left join ticket_wins w on w.network_id = ${networkId} and w.draw_id = any(${ids}::uuid[]) and w.draw_id = d.id
         and w.ticket_id = t.id
       cross join lateral (
         select sum(qty)::bigint as units, count(*) > count(qty) as broken,
           sum(qty * d.price * (d.pays ->> key)::bigint / ${sql.lit(PAY_SCALE)})::bigint as win
         from ${READ_LINES}
       ) as l
       cross join lateral (select coalesce(t.account_id <= d.paid_up_to, false) as is_paid) as paid
       where t.network_id = ${networkId} and t.draw_id = any(${ids}::uuid[])
     )
     select (select (array_agg(id))[:${sql.lit(MOST_PROBLEMS + 1)}] from examined where suspect) as suspects,
            (select (array_agg(problem order by draw_id, account_id))[:${sql.lit(MOST_PROBLEMS + 1)}]
              from (${wrongSettlements(chunk)}) as wrong) as settlements`,
  );
  const { suspects, settlements } = found!;
  return { tickets: suspects ? await judgeTickets(db, chunk, suspects) : [], settlements: settlements ?? [] };
}

async function judgeTickets(db: Queryable, { networkId, draws }: DrawChunk, suspects: string[]): Promise<string[]> {
  const byId = new Map(draws.map((draw) => [draw.id, draw]));
  const tickets = await db.query<AuditedTicket>(
    sql`select t.id, t.draw_id, t.account_id, t.lines, t.stake, w.win, t.digest, t.placed_at
     from tickets t left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
     where t.network_id = ${networkId} and t.id = any(${suspects}::uuid[]) order by t.id`,
  );
  return tickets.flatMap((ticket) =>
    problemsOf(ticket, byId.get(ticket.draw_id)!).map(
      (problem) => `ticket ${ticket.id} of network ${networkId} ${problem}`,
    ),
  );
}

function problemsOf(ticket: AuditedTicket, draw: AuditedDraw): string[] {
  const { id, draw_id, stake, win, digest, placed_at } = ticket;
  const lines = linesOf(ticket.lines);
  if (linesText(lines) !== ticket.lines || lines.some(({ qty }) => Number.isNaN(qty)))
    return [`was changed: its lines ${ticket.lines} are not valid`];
  const problems: string[] = [];
  if (!digest.equals(ticketDigest({ ticketId: id, drawId: draw_id, lines, stake })))
    problems.push('was changed: its digest does not match its lines');
  if (placed_at < draw.opens_at || placed_at >= draw.closes_at)
    problems.push(
      `was placed at ${placed_at.toISOString()}; its draw took bets from ${draw.opens_at.toISOString()} ` +
        `until ${draw.closes_at.toISOString()}`,
    );
  const isPaid = draw.paid_up_to !== null && ticket.account_id <= draw.paid_up_to;
  if (win !== null && !isPaid)
    problems.push(
      `has the win ${win}, but its draw is ${draw.draw_status}${draw.draw_status === 'settling' ? ' and its player was not paid yet' : ''}`,
    );
  const { rules, unit_price: unitPrice } = draw;
  if (!rules || unitPrice === null) return problems;
  const priced = lines.reduce((sum, line) => sum + BigInt(line.qty) * unitPrice, 0n);
  if (priced !== stake)
    problems.push(`was changed: it has a stake of ${stake} hundredths, but its lines come to ${priced}`);
  const other = lines.find(({ key }) => !rules.betOf(key));
  if (other) problems.push(`was changed: its line on ${other.key} is not a bet of its game`);
  if (!draw.pays_by_key || !isPaid) return problems;
  const won = wonBy(lines, unitPrice, draw.pays_by_key);
  if ((win ?? 0n) !== won)
    problems.push(`has a win of ${win ?? 0n} hundredths, but its lines and the result give ${won}`);
  return problems;
}

function wonBy(lines: ReturnType<typeof linesOf>, unitPrice: bigint, pays: Readonly<Record<string, number>>): bigint {
  return lines.reduce((sum, { key, qty }) => {
    const payHundredths = Object.hasOwn(pays, key) ? pays[key] : undefined;
    return payHundredths === undefined ? sum : sum + winHundredths({ unitPrice, qty, payHundredths, booster: 1 });
  }, 0n);
}
