import { TICKETS_SHOWN_DAYS } from '@drawhouse/contract/tickets/tickets';
import type { PlayerTicket, playerTicketOf, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import type { RouteParsed, RouteResult } from '@drawhouse/contract/frame/route';
import { winHundredths } from '@drawhouse/rules/wins';
import type { GameRules } from '@drawhouse/rules/rules';
import { linesOf } from '@drawhouse/rules/ticket-lines';
import type { StoredLine } from '@drawhouse/rules/ticket-lines';
import { sql } from 'kysely';
import type { Actor } from '../accounts/authority.ts';
import { allOf, run } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { leastIdAt } from '../db/uuid7.ts';
import type { Services } from '../services.ts';
import { DRAW_NUMBER } from '../draws/draws.sql.ts';
import { UNFINISHED } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { CallError } from '../http/http-errors.ts';
import { noTicket } from './no-ticket.ts';
import { readTicketName } from './ticket-number.ts';
import { IS_PAID, showTicket, TICKET, TICKET_FROM } from './tickets.sql.ts';
import type { TicketRow } from './tickets.sql.ts';

const PAGE_ROWS = 25;
const DAY_MS = 86_400_000;
/** A device whose clock is behind may ask for three months of its own. */
const GRACE_MS = DAY_MS;
/** Between the id of a ticket and when it was placed there are moments at most. */
const ID_SLACK_MS = 60_000;
const NO_TICKET = 'You have no such ticket.';

/** An own ticket as it is read, with its game and what its draw came to. */
interface OwnRow
  extends TicketRow, Pick<DrawRow, 'name' | 'number' | 'draws_at' | 'result' | 'result_label' | 'booster' | 'source'> {
  finished_at: Date | null;
}
const OWN = `${TICKET}, g.name, ${DRAW_NUMBER} as number, d.draws_at, d.result, d.result_label, d.booster, d.source, d.finished_at`;

/** What is asked for of a player's own tickets. */
type Asked = RouteParsed<typeof playerTickets>['query'];

/**
 * A page of a player's own tickets, newest first; how many there are on all pages, unless it goes on from a ticket. Throws INVALID_INPUT for a
 * period that begins too long ago, or ends before it begins.
 */
export async function listTickets(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  asked: Asked,
): Promise<RouteResult<typeof playerTickets>> {
  const limit = asked.pageSize ?? PAGE_ROWS;
  const conditions = conditionsOf(asked, clock.now());
  const own = sql`t.network_id = ${actor.networkId}::int and t.account_id = ${actor.id}::uuid`;
  const where = allOf([own, ...conditions, ...(asked.before === undefined ? [] : [sql`t.id < ${asked.before}::uuid`])]);
  const [rows, counted] = await Promise.all([
    run<OwnRow>(
      db,
      sql`select ${sql.raw(OWN)} from ${sql.raw(TICKET_FROM)} where ${where} order by t.id desc
        limit ${limit + 1} offset ${((asked.page ?? 1) - 1) * limit}`,
    ),
    asked.before === undefined
      ? run<{ total: bigint }>(
          db,
          // Nothing else is looked at where nothing else is asked for.
          sql`select count(*) as total from ${sql.raw(conditions.length === 0 ? 'tickets t' : TICKET_FROM)} where ${where}`,
        )
      : [],
  ]);
  const data = rows.slice(0, limit).map(toPlayerTicket);
  const [count] = counted;
  return {
    data,
    ...(count && { total: Number(count.total) }),
    next: rows.length > limit ? data.at(-1)!._id : null,
  };
}

const OF_STATUS: Readonly<Record<NonNullable<Asked['status']>, Sql>> = {
  open: sql`d.status in ${sql.raw(UNFINISHED)} and not ${sql.raw(IS_PAID)}`,
  won: sql`${sql.raw(IS_PAID)} and w.win is not null`,
  lost: sql`${sql.raw(IS_PAID)} and w.win is null`,
  void: sql`d.status = 'void'`,
};

/** What keeps the tickets that are asked for. */
function conditionsOf({ gameId, claims, status, startDate, endDate }: Asked, now: Date): Sql[] {
  const earliest = new Date(now.getTime() - TICKETS_SHOWN_DAYS * DAY_MS - GRACE_MS);
  const from = startDate === undefined ? earliest : new Date(startDate);
  if (from < earliest)
    throw new CallError('INVALID_INPUT', {
      fields: { startDate: `Ask for the last ${TICKETS_SHOWN_DAYS} days at most` },
    });
  const until = endDate === undefined ? undefined : new Date(endDate);
  if (until && until < from)
    throw new CallError('INVALID_INPUT', { fields: { endDate: 'The end lies before the start' } });
  const isOfTime = status !== undefined || startDate !== undefined || endDate !== undefined;
  return [
    ...(gameId === undefined ? [] : [sql`g.game_key = ${gameId}`]),
    ...(claims === undefined ? [] : [sql`w.win is not null and s.manual_claims and c.claimed_at is null`]),
    ...(status === undefined ? [] : [OF_STATUS[status]]),
    ...(isOfTime
      ? [sql`t.placed_at >= ${from}::timestamptz and t.id >= ${leastIdAt(at(from, -ID_SLACK_MS))}::uuid`]
      : []),
    ...(until === undefined
      ? []
      : [sql`t.placed_at <= ${until}::timestamptz and t.id <= ${leastIdAt(at(until, ID_SLACK_MS))}::uuid`]),
  ];
}

const at = (time: Date, byMs: number): Date => new Date(time.getTime() + byMs);

/** A player's own ticket by its id or the number on it. Throws NOT_FOUND, which says so where tickets of its time were cleared. */
export async function readOwnTicket(
  { db, clock, timeZone }: Pick<Services, 'db' | 'clock' | 'timeZone'>,
  actor: Actor,
  name: string,
): Promise<RouteResult<typeof playerTicketOf>['ticket']> {
  const named = readTicketName(name, clock.now());
  const [row] = await db.query<
    OwnRow & Pick<DrawRow, 'pays' | 'unit_price' | 'manual_claims'> & { first_printed_at: Date | null }
  >(
    `select ${OWN}, terms.pays, terms.unit_price, terms.manual_claims,
       (select p.printed_at from ticket_prints p where p.network_id = t.network_id and p.ticket_id = t.id and p.nth = 1) as first_printed_at
     from ${TICKET_FROM} join draw_terms terms on terms.id = d.terms_id
     where t.network_id = $1 and t.id = (
       select k.id from unnest($3::uuid[], $4::uuid[]) as named (first, last)
       join tickets k on k.network_id = $1 and k.account_id = $2 and k.id between named.first and named.last and right(k.id::text, 8) = $5
       order by k.id desc limit 1)`,
    [actor.networkId, actor.id, named.from, named.to, named.end],
    'ticket-own',
  );
  if (!row) {
    const message = await noTicket(db, actor, named, { sentence: NO_TICKET, timeZone });
    throw new CallError('NOT_FOUND', { message });
  }
  const rules = rulesOf(row);
  const stored = linesOf(row.lines);
  const shown = toPlayerTicket(row);
  const wins = winsOf(row, rules, stored);
  return {
    ...shown,
    lines: shown.lines.map((line, index) => ({
      ...line,
      stake: pointsOf(row.unit_price * BigInt(line.qty)),
      win: wins && pointsOf(wins[index]!),
    })),
    unitPrice: pointsOf(row.unit_price),
    pays: row.pays,
    manualClaims: row.manual_claims ? 'yes' : 'no',
    firstPrintedAt: row.first_printed_at?.toISOString() ?? null,
  };
}

/** What each line has won, in hundredths; null until the draw is settled. */
function winsOf(
  { win, draw_status, result, booster, unit_price }: OwnRow & Pick<DrawRow, 'unit_price'>,
  rules: GameRules,
  lines: readonly StoredLine[],
): bigint[] | null {
  if (win === null || draw_status === 'void') return null;
  const pays = new Map(rules.winningBets(result!).map(({ key, payHundredths }) => [key, payHundredths]));
  return lines.map(({ key, qty }) => {
    const payHundredths = pays.get(key);
    return payHundredths === undefined
      ? 0n
      : winHundredths({ unitPrice: unit_price, qty, payHundredths, booster: booster! });
  });
}

function toPlayerTicket(row: OwnRow): PlayerTicket {
  const isPublic = row.draw_status === 'settled' || row.draw_status === 'settling';
  return {
    ...showTicket(row, linesOf(row.lines), rulesOf({ ...row, pays: null })),
    gameName: row.name,
    family: row.family,
    digits: row.digits,
    draw: {
      number: Number(row.number),
      drawsAt: row.draws_at.toISOString(),
      status: row.draw_status,
      drawno: isPublic ? row.result_label : null,
      result: isPublic ? row.result : null,
      booster: isPublic ? row.booster : null,
      source: isPublic ? row.source : null,
      endedAt: row.finished_at?.toISOString() ?? null,
    },
  };
}
