import type { GameRules } from '@drawhouse/rules/game-rules';
import { ticketDigest } from '@drawhouse/rules/fair';
import { winHundredths } from '@drawhouse/rules/wins';
import { checkWith, Findings, loggedId, readPages } from '../activity/audit-check.ts';
import type { Check } from '../activity/audit-check.ts';
import type { Queryable } from '../db/database.ts';
import { auditedRules } from '../draws/audit-draws.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { inKinds, kindName, TRANSFER_KINDS, WALLET_KINDS } from '../ledger/kinds.ts';
import { auditTicketTrees } from './audit-ticket-trees.ts';
import { LINES, linesOf } from './ticket-lines.ts';

/**
 * Checks the tickets: that escrows hold the undrawn stakes, that each is as it was taken, won what its lines and the result give, and
 * has its draw, and that exposures and digests equal them.
 */
export async function auditTickets(db: Queryable): Promise<Check[]> {
  const check = checkWith(db);
  return [
    await check(
      'every game of a network has its table and its escrow',
      'games_played',
      `games_played as (
         select network_id, game_id as owner_id, unnest(array[${WALLET_KINDS.table}, ${WALLET_KINDS.escrow}]) as kind from network_games
       ), wrong as (
         select case
           when w.id is null then
             format('the %s wallet of game %s in network %s is missing', ${kindName(WALLET_KINDS, 'p.kind')}, p.owner_id, p.network_id)
           else format('wallet %s of network %s is the %s of game %s, which does not exist', w.id, w.network_id,
                       ${kindName(WALLET_KINDS, 'w.kind')}, w.owner_id)
         end as problem
         from games_played p full join (select * from wallets where kind in ${inKinds(WALLET_KINDS, 'table', 'escrow')}) as w
           on w.network_id = p.network_id and w.owner_id = p.owner_id and w.kind = p.kind
         -- Those of a game that was taken away from the network stay.
         where w.id is null or (p.kind is null and not exists (select from games g where g.id = w.owner_id))
       )`,
    ),
    await check(
      'every escrow holds the stakes of its undrawn tickets',
      'escrows',
      `undrawn as (
         select t.network_id, d.game_id, sum(t.stake) as stake
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where d.status in ('open', 'closed', 'drawn') group by t.network_id, d.game_id
       ), escrows as (
         select w.network_id, w.owner_id as game_id, w.balance, coalesce(u.stake, 0) as stake
         from wallets w left join undrawn u on u.network_id = w.network_id and u.game_id = w.owner_id where w.kind = ${WALLET_KINDS.escrow}
       ), wrong as (
         select format('the escrow of game %s in network %s has %s hundredths, its undrawn tickets come to %s',
                       game_id, network_id, balance, stake) as problem
         from escrows where balance <> stake
       )`,
    ),
    await check(
      "every draw's exposures equal its tickets",
      'lines',
      `lines as (
         select t.network_id, t.draw_id, sum(l.qty * terms.unit_price) as stake
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id join draw_terms terms on terms.id = d.terms_id
         cross join ${LINES} group by t.network_id, t.draw_id
       ), sums as (
         select network_id, draw_id, sum(stake) as stake from exposures group by network_id, draw_id
       ), wrong as (
         select format('draw %s of network %s shows %s hundredths, its tickets come to %s', draw_id, network_id,
                       coalesce(s.stake, 0), coalesce(l.stake, 0)) as problem
         from lines l full join sums s using (network_id, draw_id) where l.stake is distinct from s.stake
       )`,
    ),
    await check(
      'every win is of a ticket of a settled draw, and every ticket was placed while its draw took bets',
      'tickets',
      `wrong as (
         select format('ticket %s of network %s %s', w.ticket_id, w.network_id, case when t.id is null
                then format('has the win %s in draw %s and does not exist', w.win, w.draw_id) else format('has the win %s, its draw is %s', w.win, d.status) end) as problem
         from ticket_wins w left join tickets t on t.network_id = w.network_id and t.id = w.ticket_id and t.draw_id = w.draw_id
         left join draws d on d.network_id = t.network_id and d.id = t.draw_id where d.status is distinct from 'settled'
         union all
         select format('ticket %s of network %s was placed at %s; its draw took bets from %s until %s', t.id, t.network_id, t.placed_at,
                       d.opens_at, least(d.closes_at, d.closed_at))
         from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
         where t.placed_at < d.opens_at or t.placed_at >= least(d.closes_at, d.closed_at)
       )`,
    ),
    await auditTicketTrees(db),
    await check(
      'every digest from before the ticket trees is that of its tickets',
      'digests',
      `digests as (
         select d.network_id, d.id, d.ticket_digest, d.ticket_count, count(t.id) as tickets,
                sha256(coalesce(string_agg(t.digest, '' order by t.id), '')) as digest
         from draws d left join tickets t on t.network_id = d.network_id and t.draw_id = d.id
         where d.ticket_digest is not null group by d.network_id, d.id
       ), wrong as (
         select format('draw %s of network %s was closed with %s tickets, now it has %s, or other ones', id, network_id, ticket_count, tickets) as problem
         from digests where ticket_count <> tickets or ticket_digest <> digest
       )`,
    ),
    await check(
      'every draw that something is about is there',
      'draws',
      `told as (
         select draw_id, 'tickets' as what from tickets
         union all select draw_id, 'settlements' from player_settlements
         union all select draw_id, 'exposures' from exposures
         union all select reference, 'transfers' from transfers where kind in ${inKinds(TRANSFER_KINDS, 'collect', 'commission')}
         union all select ${loggedId('drawId')}, 'rows of the log' from activity where detail ? 'drawId'
       ), counted_of as (
         select draw_id, what, count(*) as count from told group by draw_id, what
       ), wrong as (
         select format('draw %s is gone; %s are about it', coalesce(c.draw_id::text, 'without an id'),
                       string_agg(c.count || ' ' || c.what, ', ' order by c.what)) as problem
         from counted_of c left join draws d on d.id = c.draw_id where d.id is null group by c.draw_id
       )`,
    ),
    await auditLines(db),
  ];
}

type TicketDraw = Pick<
  DrawRow,
  'id' | 'game_key' | 'family' | 'digits' | 'pays' | 'unit_price' | 'draw_status' | 'result' | 'booster'
>;

interface AuditedTicket {
  network_id: number;
  id: string;
  draw_id: string;
  lines: string;
  stake: bigint;
  win: bigint;
  digest: Buffer;
}

/** Recomputes digest, stake and win of every ticket from its lines and the result of its draw, in pages. */
async function auditLines(db: Queryable): Promise<Check> {
  const found = new Findings();
  let rows = 0;
  const pages = readPages<AuditedTicket>(
    db,
    `select t.network_id, t.id, t.draw_id, t.lines, t.stake, coalesce(w.win, 0) as win, t.digest
     from tickets t left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id`,
    't',
  );
  for await (const page of pages) {
    rows += page.length;
    const draws = await db.query<TicketDraw>(
      `select d.id, g.game_key, g.family, g.digits, terms.pays, terms.unit_price, d.status as draw_status, d.result, d.booster
       from (select distinct * from unnest($1::int[], $2::uuid[]) as asked (network_id, id)) as asked
       join draws d on d.network_id = asked.network_id and d.id = asked.id
       join draw_terms terms on terms.id = d.terms_id left join games g on g.id = d.game_id`,
      [page.map((ticket) => ticket.network_id), page.map((ticket) => ticket.draw_id)],
    );
    const byId = new Map(draws.map((draw) => [draw.id, toDrawn(draw)]));
    for (const ticket of page)
      for (const problem of problemsOfTicket(ticket, byId.get(ticket.draw_id)))
        found.add(`ticket ${ticket.id} of network ${ticket.network_id} ${problem}`);
  }
  return { name: 'every ticket is as it was taken and won what it should', rows, problems: found.problems };
}

interface Drawn {
  readonly rules: GameRules;
  readonly unitPrice: bigint;
  readonly booster: number;
  /** Pay in hundredths by bet key; null until the draw is settled. */
  readonly pays: ReadonlyMap<string, number> | null;
}

function toDrawn(draw: TicketDraw): Drawn | undefined {
  // That a draw has terms and rules, and a settled one a result of its game, is a check of its own.
  const rules = auditedRules(draw);
  if (!rules) return undefined;
  const { result, booster, unit_price: unitPrice } = draw;
  if (draw.draw_status !== 'settled' || booster === null || !rules.isResult(result))
    return { rules, unitPrice, booster: 0, pays: null };
  return {
    rules,
    unitPrice,
    booster,
    pays: new Map(rules.winningBets(result).map((bet) => [bet.key, bet.payHundredths])),
  };
}

function problemsOfTicket(ticket: AuditedTicket, drawn: Drawn | undefined): string[] {
  const { id, draw_id, stake, win, digest } = ticket;
  const lines = linesOf(ticket.lines);
  const broken = lines.find(({ qty }) => Number.isNaN(qty));
  if (broken) return [`was changed: its lines ${ticket.lines} are none`];
  const problems: string[] = [];
  if (!digest.equals(ticketDigest({ ticketId: id, drawId: draw_id, lines, stake })))
    problems.push('was changed: its digest is not that of its lines');
  if (!drawn) return problems;
  const { rules, unitPrice, pays, booster } = drawn;
  const priced = lines.reduce((sum, line) => sum + BigInt(line.qty) * unitPrice, 0n);
  if (priced !== stake)
    problems.push(`was changed: it has a stake of ${stake} hundredths, its lines come to ${priced}`);
  const other = lines.find(({ key }) => !rules.betOf(key));
  if (other) problems.push(`was changed: its line on ${other.key} is no bet of its game`);
  if (!pays) return problems;
  const won = lines.reduce((sum, { key, qty }) => {
    const payHundredths = pays.get(key);
    return payHundredths === undefined ? sum : sum + winHundredths({ unitPrice, qty, payHundredths, booster });
  }, 0n);
  if (win !== won) problems.push(`has a win of ${win} hundredths; its lines and the result give ${won}`);
  return problems;
}
