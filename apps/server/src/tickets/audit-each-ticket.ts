import { ticketDigest } from '@drawhouse/rules/fair';
import { winHundredths } from '@drawhouse/rules/wins';
import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { MOST_PROBLEMS } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';
import type { AuditedDraw, DrawBatch } from './audit-draw-batches.ts';
import { linesOf, linesText, READ_LINES } from './ticket-lines.ts';

interface AuditedTicket {
  id: string;
  draw_id: string;
  lines: string;
  stake: bigint;
  /** Of `ticket_wins`; null where it has no row there. */
  win: bigint | null;
  digest: Buffer;
  placed_at: Date;
}

/** What is found of the tickets of a batch: sentences for what is wrong, and how many tickets have a win, be it the right one or not. */
export interface TicketFindings {
  /** Of tickets. */
  readonly problems: readonly string[];
  /** Of the settlements of their players. */
  readonly settlements: readonly string[];
  readonly wins: number;
}

/** SQL for the digest of a ticket `t` with these lines, as the rules define it, as long as they are sorted and keys need no escapes. */
const digestWith = (lines: string): string =>
  `sha256(convert_to('["' || t.id || '","' || t.draw_id || '","' || t.stake || '",[["' || replace(replace(${lines}, '*', '",'), ' ', '],["') || ']]]', 'UTF8'))`;
const SORTED = `(select string_agg(line, ' ' order by split_part(line, '*', 1) collate "C", length(line), line collate "C") from string_to_table(t.lines, ' ') as line)`;

/** SQL for the settlements that are not what the tickets come to that were `examined`; $1 is the network, $2 the draws, $8 and $9 of each its game and when it was settled. */
const WRONG_SETTLEMENTS = `
  select draw_id, account_id, case
    when settled is null then
      format('player %s has no settlement of draw %s of network %s; the tickets come to stake %s, win %s hundredths', account_id, draw_id, $1::int, due_stake, due_win)
    when played is null then
      format('the settlement of player %s in draw %s of network %s has stake %s, win %s hundredths; there are no settled tickets', account_id, draw_id, $1::int, stake, win)
    when stake <> due_stake or win <> due_win then
      format('the settlement of player %s in draw %s of network %s does not equal the tickets: stake %s, win %s hundredths; they come to %s and %s',
             account_id, draw_id, $1::int, stake, win, due_stake, due_win)
    when game_id <> due_game then
      format('the settlement of player %s in draw %s of network %s is of game %s; the draw is of game %s', account_id, draw_id, $1::int, game_id, due_game)
    when settled_at <> finished_at then
      format('the settlement of player %s in draw %s of network %s is of %s; the draw was settled at %s', account_id, draw_id, $1::int, settled_at, finished_at)
  end as problem
  from (
    select p.draw_id as played, s.draw_id as settled, d.id as draw_id, coalesce(p.account_id, s.account_id) as account_id,
           p.stake as due_stake, p.win as due_win, s.stake, s.win, s.settled_at, s.game_id, d.finished_at, d.game_id as due_game
    from (
      select draw_id, account_id, sum(stake) as stake, coalesce(sum(due), 0) as win from examined where may_win group by draw_id, account_id
    ) as p full join (
      select * from player_settlements where network_id = $1 and draw_id = any($2::uuid[])
    ) as s on s.draw_id = p.draw_id and s.account_id = p.account_id
    join unnest($2::uuid[], $8::uuid[], $9::timestamptz[]) as d (id, game_id, finished_at) on d.id = coalesce(p.draw_id, s.draw_id)
  ) as compared`;

/**
 * Looks at all tickets of a batch: that digest and stake are those of the lines, that they were placed while their draws took bets, that
 * they have the win that lines and result give, and that the settlements of players are their sums. PostgreSQL finds the tickets of which
 * anything may be wrong, and they are judged here. A win is looked up where there ought to be one: with `everyWin`, for when wins are left
 * over, for all tickets, which takes longer.
 */
export async function examineTickets(
  db: Queryable,
  batch: DrawBatch,
  { everyWin }: { readonly everyWin: boolean },
): Promise<TicketFindings> {
  const { networkId, draws, ids } = batch;
  const [found] = await db.query<{ wins: bigint; suspects: string[] | null; settlements: string[] | null }>(
    `with examined as materialized (
       select t.id, t.draw_id, t.account_id, t.stake, l.win as due, w.win, d.may_win,
              l.broken or l.units * d.price <> t.stake or coalesce(l.win, 0) <> coalesce(w.win, 0) or (w.win is not null and not d.may_win)
                or t.placed_at < d.opens_at or t.placed_at >= d.closes_at
                or (t.digest <> ${digestWith('t.lines')} and t.digest <> ${digestWith(SORTED)}) as suspect
       from tickets t
       join unnest($2::uuid[], $3::bigint[], $4::jsonb[], $5::boolean[], $6::timestamptz[], $7::timestamptz[])
         as d (id, price, pays, may_win, opens_at, closes_at) on d.id = t.draw_id
       cross join lateral (
         select sum(qty)::bigint as units, count(*) > count(qty) as broken, sum(qty * d.price * (d.pays ->> key)::bigint / ${PAY_SCALE})::bigint as win
         from ${READ_LINES}
       ) as l
       left join lateral (
         select win from ticket_wins w where ${everyWin ? '' : 'l.win > 0 and'} w.network_id = t.network_id and w.ticket_id = t.id offset 0
       ) as w on true
       where t.network_id = $1 and t.draw_id = any($2::uuid[])
     )
     select (select count(win) from examined) as wins,
            (select (array_agg(id))[:${MOST_PROBLEMS + 1}] from examined where suspect) as suspects,
            (select (array_agg(problem order by draw_id, account_id))[:${MOST_PROBLEMS + 1}] from (${WRONG_SETTLEMENTS}) as wrong where problem is not null) as settlements`,
    [
      networkId,
      ids,
      draws.map((draw) => draw.unit_price),
      draws.map((draw) => JSON.stringify(draw.pays_by_key ?? {})),
      draws.map((draw) => draw.draw_status === 'settled'),
      draws.map((draw) => draw.opens_at),
      draws.map((draw) => draw.closes_at),
      draws.map((draw) => draw.game_id),
      draws.map((draw) => draw.finished_at),
    ],
  );
  const { wins, suspects, settlements } = found!;
  return {
    wins: Number(wins),
    problems: suspects ? await judgeTickets(db, batch, suspects) : [],
    settlements: settlements ?? [],
  };
}

async function judgeTickets(db: Queryable, { networkId, draws }: DrawBatch, suspects: string[]): Promise<string[]> {
  const byId = new Map(draws.map((draw) => [draw.id, draw]));
  const tickets = await db.query<AuditedTicket>(
    `select t.id, t.draw_id, t.lines, t.stake, w.win, t.digest, t.placed_at
     from tickets t left join ticket_wins w on w.network_id = t.network_id and w.ticket_id = t.id
     where t.network_id = $1 and t.id = any($2::uuid[]) order by t.id`,
    [networkId, suspects],
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
    return [`was changed: its lines ${ticket.lines} are none`];
  const problems: string[] = [];
  if (!digest.equals(ticketDigest({ ticketId: id, drawId: draw_id, lines, stake })))
    problems.push('was changed: its digest is not that of its lines');
  if (placed_at < draw.opens_at || placed_at >= draw.closes_at)
    problems.push(
      `was placed at ${placed_at.toISOString()}; its draw took bets from ${draw.opens_at.toISOString()} until ${draw.closes_at.toISOString()}`,
    );
  if (win !== null && draw.draw_status !== 'settled')
    problems.push(`has the win ${win}, its draw is ${draw.draw_status}`);
  const { rules, unit_price: unitPrice } = draw;
  if (!rules || unitPrice === null) return problems;
  const priced = lines.reduce((sum, line) => sum + BigInt(line.qty) * unitPrice, 0n);
  if (priced !== stake)
    problems.push(`was changed: it has a stake of ${stake} hundredths, its lines come to ${priced}`);
  const other = lines.find(({ key }) => !rules.betOf(key));
  if (other) problems.push(`was changed: its line on ${other.key} is no bet of its game`);
  if (!draw.pays_by_key) return problems;
  const won = wonBy(lines, unitPrice, draw.pays_by_key);
  if ((win ?? 0n) !== won) problems.push(`has a win of ${win ?? 0n} hundredths; its lines and the result give ${won}`);
  return problems;
}

function wonBy(lines: ReturnType<typeof linesOf>, unitPrice: bigint, pays: Readonly<Record<string, number>>): bigint {
  return lines.reduce((sum, { key, qty }) => {
    const payHundredths = pays[key];
    return payHundredths === undefined ? sum : sum + winHundredths({ unitPrice, qty, payHundredths, booster: 1 });
  }, 0n);
}
