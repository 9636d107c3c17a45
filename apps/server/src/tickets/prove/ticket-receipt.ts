import type { fairPaper, fairTicket } from '@drawhouse/contract/tickets/tickets';
import type { RouteResult } from '@drawhouse/contract/core/route';
import { digestedLines } from '@drawhouse/rules/fair/fair';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { TICKET_ROOT, type DrawRow } from '../../draws/draws.sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { linesOf } from '@drawhouse/rules/games/ticket-lines';
import { ticketNotFoundMessage } from '../place/ticket-not-found.ts';
import { readTicketName, ticketNumber } from '../ticket-number.ts';
import { findInOnePart, findTicketProof, PART_TICKETS, type TicketProof, type TreePartsCache } from './ticket-tree.ts';
import { isOfAnother } from '../../draws/states/missing-draws.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { networkOrColumnSql, singleNetworkOf, crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import { inSubtreeEver } from '../../platform/db/visibility-predicate.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

interface ReceiptRow extends Pick<DrawRow, 'network_id' | 'game_key' | 'draw_status' | 'ticket_root' | 'ticket_count'> {
  id: string;
  draw_id: string;
  lines: string;
  stake: bigint;
  digest: Buffer;
  undone_at: Date | null;
}

const TABLES = {
  undone: { tickets: 'undone_tickets', draws: 'undone_draws', undoneAt: 'd.undone_at' },
  standing: { tickets: 'tickets', draws: 'draws', undoneAt: 'null::timestamptz' },
} as const;
type Which = keyof typeof TABLES;

/** Undefined until sealed. */
export type ProveTicket = (ticket: {
  readonly networkId: number;
  readonly id: string;
}) => Promise<RouteResult<typeof fairTicket>['sealed'] | undefined>;

/**
 * Returns all data covered by the digest plus, after closing, its path to the published root. For the player and
 * managers above.
 */
export async function readTicketReceipt(
  { db, clock, timeZone }: Pick<Services, 'db' | 'clock' | 'timeZone'>,
  cache: TreePartsCache,
  actor: Actor,
  { name, prove }: { readonly name: string; readonly prove: ProveTicket },
): Promise<RouteResult<typeof fairTicket>> {
  const named = readTicketName(name, clock.now());
  const row = (await findTicket(db, actor, named, 'undone')) ?? (await findTicket(db, actor, named, 'standing'));
  if (!row)
    throw new CallError('NOT_FOUND', {
      message: await ticketNotFoundMessage(db, actor, named, { sentence: TICKET_TEXTS.noTicket, timeZone }),
    });
  const { id, draw_id, ticket_root: root, ticket_count } = row;
  const proof = root && (await findProof(db, cache, row));
  return {
    ...(root === null && { message: TICKET_TEXTS.stillOpen }),
    _id: id,
    ticketId: ticketNumber(id),
    drawId: draw_id,
    gameId: row.game_key,
    drawStatus: row.draw_status,
    undoneAt: row.undone_at?.toISOString() ?? null,
    stake: String(row.stake),
    lines: digestedLines(linesOf(row.lines)),
    digest: row.digest.toString('hex'),
    index: proof?.index ?? null,
    size: proof ? ticket_count : null,
    path: proof?.path.map((node) => node.toString('hex')) ?? null,
    root: root?.toString('hex') ?? null,
    sealed: row.undone_at ? null : ((await prove({ networkId: row.network_id, id })) ?? null),
  };
}

/**
 * Public: the path to the root, after closing. Reveals no player, lines or stake. Throws NOT_FOUND without telling
 * which of number and digest is wrong.
 */
export async function readPaperProof(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  cache: TreePartsCache,
  { drawId, ticketId, digest }: { readonly drawId: string; readonly ticketId: string; readonly digest: string },
): Promise<RouteResult<typeof fairPaper>> {
  const { from, to, end } = readTicketName(ticketId, clock.now());
  type Row = Pick<ReceiptRow, 'network_id' | 'id' | 'draw_id' | 'ticket_root' | 'ticket_count' | 'undone_at'>;
  const find = async (which: Which): Promise<Row | undefined> => {
    const { tickets, draws, undoneAt } = TABLES[which];
    const [found] = await db.query<Row>(
      sql`select t.network_id, t.id, t.draw_id, ${TICKET_ROOT} as ticket_root, d.ticket_count, ${sql.raw(undoneAt)} as undone_at
       from networks n join ${sql.raw(draws)} d on d.network_id = n.id and d.id = ${drawId}
       cross join unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
       join ${sql.raw(tickets)} t on t.network_id = d.network_id and t.id between named.first and named.last
         and right(t.id::text, 8) = ${end}
       where t.draw_id = d.id
         and t.digest = ${Buffer.from(digest, 'hex')} ${which === 'undone' ? sql`and not ${isOfAnother(drawId)}` : sql``}
         limit 1 ${sql.raw(crossNetworkComment('named'))}`.named(`ticket-paper-${which}`),
    );
    return found;
  };
  const row = (await find('undone')) ?? (await find('standing'));
  if (!row) throw new CallError('NOT_FOUND', { message: TICKET_TEXTS.noPaper });
  const proof = row.ticket_root && (await findProof(db, cache, row));
  return {
    ...(row.ticket_root === null && { message: TICKET_TEXTS.stillOpen }),
    drawId: row.draw_id,
    undoneAt: row.undone_at?.toISOString() ?? null,
    ticketId: ticketNumber(row.id),
    digest: digest.toLowerCase(),
    index: proof?.index ?? null,
    size: proof ? row.ticket_count : null,
    path: proof?.path.map((node) => node.toString('hex')) ?? null,
  };
}

/** Searches the actor's subtree. Ambiguous numbers resolve to the newest ticket. */
async function findTicket(
  on: Queryable,
  actor: Actor,
  { from, to, end }: ReturnType<typeof readTicketName>,
  which: Which,
): Promise<ReceiptRow | undefined> {
  const { tickets, draws, undoneAt } = TABLES[which];
  const one = singleNetworkOf(actor);
  const [row] =
    await on.query<ReceiptRow>(sql`select t.network_id, t.id, t.draw_id, t.lines, t.stake, t.digest, g.game_key, d.status as draw_status,
               ${TICKET_ROOT} as ticket_root, d.ticket_count, ${sql.raw(undoneAt)} as undone_at
        from ${one === undefined ? sql`networks n cross join` : sql``} unnest(${from}::uuid[], ${to}::uuid[]) as named (first, last)
        join ${sql.raw(tickets)} t on t.network_id = ${networkOrColumnSql(one, 'n.id')} and t.id between named.first
          and named.last and right(t.id::text, 8) = ${end}
        join accounts a on a.id = t.account_id and ${inSubtreeEver('a', actor)}
        join ${sql.raw(draws)} d on d.network_id = t.network_id and d.id = t.draw_id
        join games g on g.id = d.game_id
        order by t.id desc limit 1`);
  return row;
}

function findProof(
  on: Queryable,
  cache: TreePartsCache,
  {
    network_id,
    draw_id,
    id,
    ticket_count,
    undone_at,
  }: Pick<ReceiptRow, 'network_id' | 'draw_id' | 'id' | 'ticket_count' | 'undone_at'>,
): Promise<TicketProof | undefined> {
  const draw = { network_id, id: draw_id, isUndone: undone_at !== null };
  return ticket_count! <= PART_TICKETS
    ? findInOnePart(on, draw, id)
    : cache.of(draw).then((parts) => findTicketProof(on, draw, id, parts));
}
