import {
  TICKETS_SHOWN_DAYS,
  type PlayerTicket,
  type playerTicketOf,
  type playerTickets,
} from '@drawhouse/contract/tickets/tickets';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { RouteParsed, RouteResult } from '@drawhouse/contract/core/route';
import { winHundredths } from '@drawhouse/rules/games/wins';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { linesOf, type StoredLine } from '@drawhouse/rules/games/ticket-lines';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { allOf, sql, type Sql } from '../../platform/db/sql/sql.ts';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import type { Period } from '../../platform/time/clock.ts';
import type { Services } from '../../platform/services.ts';
import { correctedAt, DRAW_NUMBER, type DrawRow } from '../../draws/draws.sql.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { ticketNotFoundMessage, UNDONE_FROM, UNDONE_TICKET } from '../place/ticket-not-found.ts';
import { readTicketCorrections } from './ticket-corrections.ts';
import {
  ALL_PARTS,
  drawsPlayed,
  everUntil,
  nearestTickets,
  ticketsOfDraw,
  type DrawKind,
  type TicketScope,
} from './played-draws.sql.ts';
import { readTicketName } from '../ticket-number.ts';
import { paidWins, ticketFrom, toTicket, TICKET, type TicketRow } from '../tickets.sql.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

const PAGE_ROWS = 25;
const DAY_MS = 86_400_000;
/** Tolerates a slow client clock. */
const GRACE_MS = DAY_MS;
/** Bound on the gap between ticket id time and `placed_at`. */
const ID_SLACK_MS = 60_000;

interface OwnRow
  extends
    TicketRow,
    Pick<DrawRow, 'name' | 'number' | 'draws_at' | 'result' | 'result_label' | 'booster' | 'source' | 'outside'> {
  finished_at: Date | null;
  corrected_at: Date | null;
}
const OF_DRAW = `g.name, ${DRAW_NUMBER} as number, d.draws_at, d.result, d.result_label, d.booster, d.source, d.outside, d.finished_at`;
const own = (networkId: number): Sql =>
  sql`${sql.raw(`${TICKET}, ${OF_DRAW}`)}, ${correctedAt(sql`${networkId}::int`)} as corrected_at`;
const UNDONE_OWN = sql.raw(`${UNDONE_TICKET}, ${OF_DRAW}, null::timestamptz as corrected_at`);

type OneOwnRow = OwnRow &
  Pick<DrawRow, 'pays' | 'unit_price' | 'manual_claims'> & { readonly first_printed_at: Date | null };

type TicketQuery = RouteParsed<typeof playerTickets>['query'];

export async function listTickets(
  { db, clock, timeZone }: Pick<Services, 'db' | 'clock' | 'timeZone'>,
  actor: Actor,
  asked: TicketQuery,
): Promise<RouteResult<typeof playerTickets>> {
  const rows = asked.pageSize ?? PAGE_ROWS;
  const period = periodOf(asked, clock.now());
  const game = asked.gameId === undefined ? undefined : await findGame(db, asked.gameId);
  if (game === null) return { data: [], ...(asked.before === undefined && { total: 0 }), next: null };
  const wish = { networkId: actor.networkId, accountId: actor.id, gameId: game, timeZone, ...period.ofIds };
  const condition = ticketFilter(asked, period.placed, actor);
  const skipped = ((asked.page ?? 1) - 1) * rows;
  const undone = await readUndone(db, wish, condition, { rows: skipped + rows + 1, before: asked.before });
  const [standing, counted] = await Promise.all([
    // Earlier rows matter only if undone tickets may interleave.
    readPage(db, wish, condition, { rows, before: asked.before, skipped, from: undone.total > 0 ? 0 : skipped }),
    asked.before === undefined ? countTickets(db, wish, condition) : undefined,
  ]);
  const found =
    undone.total === 0
      ? standing
      : [...standing, ...undone.rows].toSorted(newestFirst).slice(skipped, skipped + rows + 1);
  const data = found.slice(0, rows).map(toPlayerTicket);
  return {
    data,
    ...(counted !== undefined && { total: counted + undone.total }),
    next: found.length > rows ? data.at(-1)!._id : null,
  };
}

async function findGame(on: Queryable, gameKey: string): Promise<string | null> {
  const [game] = await on.query<{ id: string }>(sql`select id from games where game_key = ${gameKey}`);
  return game?.id ?? null;
}

interface TicketFilter {
  readonly parts: readonly DrawKind[];
  readonly join: Sql;
  readonly where: Sql;
  readonly undone: readonly Sql[] | undefined;
}

/** Reads one extra row if older tickets exist. */
async function readPage(
  on: Queryable,
  wish: TicketScope,
  { parts, join, where }: TicketFilter,
  { rows, before, skipped, from }: PageRequest & { readonly skipped: number; readonly from: number },
): Promise<OwnRow[]> {
  if (parts.length === 0) return [];
  const until = before === undefined ? wish.until : new Date(timeOfId(before).getTime() + 1);
  const keys = await nearestTickets(
    on,
    { ...wish, until: until < wish.until ? until : wish.until },
    {
      parts,
      join,
      where: before === undefined ? where : sql`${where} and t.id < ${before}::uuid`,
      limit: skipped + rows + 1,
    },
  );
  return on.query<OwnRow>(sql`select ${own(wish.networkId)} from (select * from (${keys}) as nearest offset ${from}) k
      join ${ticketFrom(wish.networkId)}
        on t.network_id = ${wish.networkId}::int and t.id = k.id order by t.id desc`);
}

interface PageRequest {
  readonly rows: number;
  readonly before: string | undefined;
}

/** Newest, with their count. Skips tickets whose draw was open in the backup; they exist as regular tickets. */
async function readUndone(
  on: Queryable,
  { networkId, accountId, gameId, from, until }: TicketScope,
  { undone }: TicketFilter,
  { rows, before }: PageRequest,
): Promise<{ readonly rows: OwnRow[]; readonly total: number }> {
  if (!undone) return { rows: [], total: 0 };
  const wished = sql`${sql.raw(UNDONE_FROM)} where t.network_id = ${networkId}::int and t.account_id = ${accountId}::uuid
    and not exists (select from tickets there where there.network_id = ${networkId}::int and there.id = t.id)
      and t.placed_at >= ${from}::timestamptz and t.placed_at <= ${until}::timestamptz and ${allOf(undone)}
    ${gameId === undefined ? sql`` : sql`and d.game_id = ${gameId}::uuid`}`;
  const older = before === undefined ? sql`` : sql`and t.id < ${before}::uuid`;
  const [counted] = await on.query<{ total: bigint }>(sql`select count(*) as total from ${wished}`);
  if (counted!.total === 0n) return { rows: [], total: 0 };
  const found = await on.query<OwnRow>(
    sql`select ${UNDONE_OWN} from ${wished} ${older} order by t.id desc limit ${rows}`,
  );
  return { rows: found, total: Number(counted!.total) };
}

const newestFirst = (a: OwnRow, b: OwnRow): number => (a.id < b.id ? 1 : -1);

async function countTickets(on: Queryable, wish: TicketScope, { parts, join, where }: TicketFilter): Promise<number> {
  if (parts.length === 0) return 0;
  const [count] = await on.query<{ total: bigint }>(
    sql`select count(*) as total from (${drawsPlayed(wish, parts)}) d ${join} where ${where}`,
  );
  return Number(count!.total);
}

/** Settled draws can be on time or late. A draw settling in pieces already has paid tickets. */
const OF_STATUS: Readonly<Record<NonNullable<TicketQuery['status']> | 'any', readonly DrawKind[]>> = {
  any: ALL_PARTS,
  open: ['unfinished'],
  won: ['told', 'late', 'unfinished'],
  lost: ['told', 'late', 'unfinished'],
  void: ['void'],
  undone: [],
};

function ticketFilter({ claims, status }: TicketQuery, placed: readonly Sql[], { id, networkId }: Actor): TicketFilter {
  const network = sql`${networkId}::int`;
  const win = sql`select from ${paidWins(network)} w where network_id = ${network} and draw_id = t.draw_id and ticket_id = t.id`;
  const isPaid = sql`(d.status = 'settled' or (d.status = 'settling' and exists (
      select from player_settlements where network_id = ${network} and draw_id = t.draw_id and account_id = t.account_id)))`;
  // A correction claims the wins that it changes, and pays others at once.
  const waits = sql`exists (select from ticket_wins where network_id = ${network} and draw_id = t.draw_id and ticket_id = t.id) and exists (
      select from draw_settlements where network_id = ${network} and draw_id = t.draw_id and manual_claims
    ) and not exists (select from ticket_claims where network_id = ${network} and ticket_id = t.id)`;
  return {
    parts: OF_STATUS[status ?? (claims === undefined ? 'any' : 'won')],
    join: ticketsOfDraw(network, [id]),
    undone: claims === undefined && (status === undefined || status === 'undone') ? placed : undefined,
    where: allOf([
      ...placed,
      ...(status === 'open' ? [sql`not ${isPaid}`] : []),
      ...(status === 'won' ? [sql`${isPaid} and exists (${win})`] : []),
      ...(status === 'lost' ? [sql`${isPaid} and not exists (${win})`] : []),
      ...(claims === undefined ? [] : [waits]),
    ]),
  };
}

/** Twice: by ticket id time, and exactly by `placed_at`. */
function periodOf(
  { status, startDate, endDate }: TicketQuery,
  now: Date,
): { readonly ofIds: Period; readonly placed: Sql[] } {
  const earliest = new Date(now.getTime() - TICKETS_SHOWN_DAYS * DAY_MS - GRACE_MS);
  const from = startDate === undefined ? earliest : new Date(startDate);
  if (from < earliest)
    throw new CallError('INVALID_INPUT', {
      fields: { startDate: TICKET_TEXTS.tooFarBack(TICKETS_SHOWN_DAYS) },
    });
  const until = endDate === undefined ? undefined : new Date(endDate);
  if (until && until < from) throw new CallError('INVALID_INPUT', { fields: { endDate: TICKET_TEXTS.endBeforeStart } });
  const ever = everUntil(now);
  const isOfTime = status !== undefined || startDate !== undefined || endDate !== undefined;
  return {
    ofIds: {
      from: isOfTime ? at(from, -ID_SLACK_MS) : ever.from,
      until: until && until < ever.until ? at(until, ID_SLACK_MS) : ever.until,
    },
    placed: [
      ...(isOfTime ? [sql`t.placed_at >= ${from}::timestamptz`] : []),
      ...(until ? [sql`t.placed_at <= ${until}::timestamptz`] : []),
    ],
  };
}

const at = (time: Date, byMs: number): Date => new Date(time.getTime() + byMs);

/** Accepts ticket id or number. Says if tickets of that time were cleared. */
export async function readOwnTicket(
  { db, clock, timeZone }: Pick<Services, 'db' | 'clock' | 'timeZone'>,
  actor: Actor,
  name: string,
): Promise<RouteResult<typeof playerTicketOf>['ticket']> {
  const named = readTicketName(name, clock.now());
  const find = async (from: Sql, columns: Sql, tickets: string): Promise<OneOwnRow | undefined> => {
    const [found] = await db.query<OneOwnRow>(
      sql`select ${columns}, terms.pays, terms.unit_price, terms.manual_claims,
         (select p.printed_at from ticket_prints p where p.network_id = ${actor.networkId} and p.ticket_id = t.id
           and p.nth = 1) as first_printed_at
       from ${from} join draw_terms terms on terms.id = d.terms_id
       where t.network_id = ${actor.networkId} and t.id = (
         select k.id from unnest(${named.from}::uuid[], ${named.to}::uuid[]) as named (first, last)
         join ${sql.raw(tickets)} k on k.network_id = ${actor.networkId} and k.account_id = ${actor.id}
           and k.id between named.first and named.last and right(k.id::text, 8) = ${named.end}
         order by k.id desc limit 1)`.named(`ticket-own-${tickets}`),
    );
    return found;
  };
  const row =
    (await find(ticketFrom(actor.networkId), own(actor.networkId), 'tickets')) ??
    (await find(sql.raw(UNDONE_FROM), UNDONE_OWN, 'undone_tickets'));
  if (!row) {
    const message = await ticketNotFoundMessage(db, actor, named, { sentence: TICKET_TEXTS.notYours, timeZone });
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
    corrections:
      shown.draw.correctedAt === null
        ? []
        : await readTicketCorrections(db, actor.networkId, { drawId: row.draw_id, ticketId: row.id }),
    firstPrintedAt: row.first_printed_at?.toISOString() ?? null,
  };
}

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
    ...toTicket(row),
    gameName: row.name,
    family: row.family,
    digits: row.digits,
    draw: {
      number: Number(row.number),
      drawsAt: row.draws_at.toISOString(),
      outside: row.outside,
      correctedAt: row.corrected_at?.toISOString() ?? null,
      status: row.draw_status,
      drawno: isPublic ? row.result_label : null,
      result: isPublic ? row.result : null,
      booster: isPublic ? row.booster : null,
      source: isPublic ? row.source : null,
      endedAt: row.finished_at?.toISOString() ?? null,
    },
  };
}
