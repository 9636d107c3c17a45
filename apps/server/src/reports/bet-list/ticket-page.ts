import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { BetTicket, TicketDetail } from '@drawhouse/contract/reports/bet-list';
import { REPORT_FIELD_TEXTS } from '@drawhouse/contract/core/field-texts';
import type { TicketPage } from '@drawhouse/contract/reports/object-pages';
import type { TransactionDetails } from '@drawhouse/contract/reports/transactions';
import { linesOf } from '@drawhouse/rules/games/ticket-lines';
import { winHundredths } from '@drawhouse/rules/games/wins';
import { type Actor, chainTo } from '../../accounts/authority.ts';
import { readLogNaming } from '../../activity/log-source.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { inSubtreeEver, selectVisible } from '../../platform/db/visibility-predicate.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { type DetailsRow, toTransactionDetails, transactionDetailsFor } from '../transactions/transaction-page.ts';
import { touchesSubtree, transfersOfAccount } from '../transactions/transactions.sql.ts';
import { readTicketCorrections } from '../../tickets/read/ticket-corrections.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { outcomeImages } from '../../games/catalogue/game-images.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { ticketNotFoundMessage } from '../../tickets/place/ticket-not-found.ts';
import { readTicketName, type TicketName, ticketNumber } from '../../tickets/ticket-number.ts';
import { findScope, standingOn } from './bet-list.sql.ts';
import type { TicketKey } from '../../tickets/read/played-draws.sql.ts';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import { type BetRow, betOf, toBetTicket, shownOutcome, undoneIn } from './bet-rows.ts';

const DAY_MS = 86_400_000;
/** Ticket and transfers may come from different clock readings. */
const WITHIN_MS = 60_000;

export async function readTicketPage(
  on: Queryable,
  actor: Actor,
  { name, now, timeZone }: { readonly name: string; readonly now: Date; readonly timeZone: string },
): Promise<Omit<TicketPage, 'success'>> {
  const { ticket, data, undoneAt } = await readTicketDetails(on, actor, { name, gameKey: undefined, now, timeZone });
  const { _id: id, userId, drawId } = ticket;
  const chain = (await chainTo(on, actor.id, userId)) ?? [];
  const network = await networkOf(on, userId);
  const moments = undoneAt === null ? await momentsOf(on, network, id) : [];
  const movements = await movementsOf(on, actor, { id, userId, moments });
  const last = Math.max(Date.parse(ticket.drawsAt) + DAY_MS, ...moments.map((moment) => moment.getTime() + DAY_MS));
  return {
    ticket,
    lines: data,
    undoneAt,
    above: chain.slice(1, -1).map(({ id: _id, username, role }) => ({ _id, username, role })),
    movements,
    paid: paidBy(movements),
    corrections: undoneAt === null ? await readTicketCorrections(on, network, { drawId, ticketId: id }) : [],
    log: await readLogNaming(on, actor, {
      ids: [id, drawId],
      from: new Date(Math.min(Date.parse(ticket.timeopen), Date.parse(ticket.placedAt)) - DAY_MS),
      until: new Date(Math.min(last, now.getTime() + DAY_MS)),
    }),
  };
}

async function networkOf(on: Queryable, userId: string): Promise<number> {
  const [player] = await on.query<{ network: number }>(
    sql`select a.network_id as network from accounts a where a.id = ${userId}`,
  );
  return player!.network;
}

/** Times at which the ticket moved credit. */
async function momentsOf(on: Queryable, network: number, id: string): Promise<Date[]> {
  const rows = await on.query<{ at: Date }>(sql`select distinct moment.at from tickets t
    join draws d on d.network_id = ${network} and d.id = t.draw_id
    left join ticket_wins w on w.network_id = ${network} and w.draw_id = t.draw_id and w.ticket_id = t.id
    left join ticket_claims c on c.network_id = ${network} and c.ticket_id = t.id
    cross join lateral (
      select * from (values (t.placed_at), (d.finished_at), (w.paid_at), (c.claimed_at)) as of_ticket (at)
      union all select k.at from ticket_corrections k where k.network_id = ${network} and k.draw_id = t.draw_id and k.ticket_id = t.id
    ) as moment
    where t.network_id = ${network} and t.id = ${id} and moment.at is not null order by moment.at`);
  return rows.map(({ at }) => at);
}

async function movementsOf(
  on: Queryable,
  actor: Actor,
  { id, userId, moments }: { readonly id: string; readonly userId: string; readonly moments: readonly Date[] },
): Promise<TransactionDetails[]> {
  const found = new Map<string, DetailsRow>();
  for (const moment of moments) {
    const period = { from: new Date(moment.getTime() - WITHIN_MS), until: new Date(moment.getTime() + WITHIN_MS) };
    const rows = await on.query<DetailsRow>(
      selectVisible({
        select: transactionDetailsFor(actor),
        from: sql`${await transfersOfAccount(on, actor, userId, period)} t`,
        authority: touchesSubtree(actor),
        where: sql`t.reference = ${id}`,
      }),
    );
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()]
    .toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1))
    .map((row) => toTransactionDetails(actor, userId, row));
}

function paidBy(movements: readonly TransactionDetails[]): TicketPage['paid'] {
  const paid = movements.find(({ kind, to }) => kind !== 'stake' && to.wallet === 'credit');
  return paid ? { at: paid.createdAt, by: paid.actor } : null;
}

interface DetailRow extends Pick<
  DrawRow,
  'game_id' | 'game_key' | 'family' | 'digits' | 'unit_price' | 'pays' | 'draw_status' | 'result' | 'booster'
> {
  id: string;
  network_id: number;
  lines: string;
}

interface TicketDetails {
  readonly ticket: BetTicket;
  readonly data: TicketDetail[];
  readonly undoneAt: string | null;
}

/** Accepts id or number, in the actor's subtree. */
export async function readTicketDetails(
  on: Queryable,
  actor: Actor,
  { name, gameKey, now, timeZone }: { name: string; gameKey: string | undefined; now: Date; timeZone: string },
): Promise<TicketDetails> {
  const named = readTicketName(name, now);
  const { from, to, end } = named;
  const networks = (await findScope(on, actor, actor.id))?.networks ?? [];
  // Numbers may repeat; picks the newest.
  const [row] =
    await on.query<DetailRow>(sql`select t.id, t.network_id, t.lines, g.id as game_id, g.game_key, g.family, g.digits,
      terms.unit_price, terms.pays, d.status as draw_status, d.result, d.booster
        from unnest(${networks}::int[]) as n (id)
        cross join unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
        join tickets t on t.network_id = ${networkOrColumnSql(singleNetwork(networks), 'n.id')} and t.id between named.first
          and named.last and right(t.id::text, 8) = ${end}
        join accounts a on a.id = t.account_id and ${inSubtreeEver('a', actor)}
        join draws d on d.network_id = t.network_id and d.id = t.draw_id
        join draw_terms terms on terms.id = d.terms_id join games g on g.id = d.game_id
        where ${gameKey ?? null}::text is null or g.game_key = ${gameKey ?? null}
        order by t.id desc limit 1`);
  if (!row) {
    const undone = await readUndone(on, actor, { networks, named, gameKey });
    if (undone) return undone;
    throw new CallError('NOT_FOUND', {
      message: await ticketNotFoundMessage(on, actor, named, { sentence: REPORT_FIELD_TEXTS.noTicketData, timeZone }),
    });
  }
  const images = await outcomeImages(on, row.game_id);
  return { ticket: await readBet(on, row, images), data: detailsOf(row, images), undoneAt: null };
}

async function readUndone(
  on: Queryable,
  actor: Actor,
  {
    networks,
    named: { from, to, end },
    gameKey,
  }: { readonly networks: readonly number[]; readonly named: TicketName; readonly gameKey: string | undefined },
): Promise<TicketDetails | undefined> {
  const [row] = await on.query<
    DetailRow & BetRow & { undone_at: Date }
  >(sql`select t.id, t.network_id, t.lines, t.draw_id, t.stake, t.win, t.claimed_at, a.id as user_id, a.username, a.role,
    g.id as game_id, g.game_key,
               g.name, g.family, g.digits, terms.unit_price, terms.pays, d.status as draw_status, d.void_cause,
                 d.source, d.booster, d.result,
               d.result_label, d.opens_at, d.closes_at, d.draws_at, d.outside, null::timestamptz as corrected_at,
                 d.undone_at, null::text as key_name
        from ${undoneIn(networks)} join draw_terms terms on terms.id = d.terms_id
        cross join unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
        where t.id between named.first and named.last and right(t.id::text, 8) = ${end} and ${inSubtreeEver('a', actor)}
          and (${gameKey ?? null}::text is null or g.game_key = ${gameKey ?? null})
        order by t.id desc limit 1`);
  if (!row) return undefined;
  const images = await outcomeImages(on, row.game_id);
  return { ticket: toBetTicket(row, images), data: detailsOf(row, images), undoneAt: row.undone_at.toISOString() };
}

async function readBet(on: Queryable, key: TicketKey, images: readonly string[]): Promise<BetTicket> {
  const [row] = await on.query<BetRow>(sql`select ${betOf(key.network_id)} from ${standingOn([key])}`);
  return toBetTicket(row!, images);
}

function detailsOf(row: DetailRow, images: readonly string[]): TicketDetail[] {
  const rules = rulesOf(row);
  const settled = row.draw_status === 'settled';
  const pays = new Map(
    settled ? rules.winningBets(row.result!).map(({ key, payHundredths }) => [key, payHundredths]) : [],
  );
  const lines = linesOf(row.lines);
  return lines.map(({ key, qty }) => {
    const { drawno, head, series, subseries } = rules.betOf(key)!;
    const payHundredths = pays.get(key) ?? 0;
    return {
      ticketid: ticketNumber(row.id),
      drawno,
      drawqty: qty,
      drawtotal: pointsOf(row.unit_price * BigInt(qty)),
      series,
      subseries,
      head: rules.heads.length > 1 ? (rules.heads.find(({ name }) => name === head)?.label ?? head) : null,
      // Dozen 1 is not number 1.
      outcome: rules.family === 'roulette' && key !== drawno ? null : shownOutcome(rules, images, drawno),
      won: settled
        ? pointsOf(winHundredths({ unitPrice: row.unit_price, qty, payHundredths, booster: row.booster! }))
        : null,
    };
  });
}
