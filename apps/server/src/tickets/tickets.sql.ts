import type { Ticket } from '@drawhouse/contract/tickets';
import { pointsOf } from '@drawhouse/contract/primitives';
import type { Target } from '../accounts/lock-target.ts';
import type { Queryable, Tx } from '../db/database.ts';

/** A line as it is stored: `key` is the bet's key in the rules of the game. */
export interface StoredLine {
  readonly key: string;
  readonly drawno: string;
  readonly head?: string;
  readonly series?: string;
  readonly subseries?: string;
  readonly qty: number;
}

/** A ticket as it is stored, with the key of its game. */
export interface TicketRow {
  id: string;
  ticket_no: string;
  draw_id: string;
  game_key: string;
  lines: StoredLine[];
  stake: bigint;
  win: bigint | null;
  voided: boolean;
  placed_at: Date;
}

/** A ticket to be inserted. */
export interface NewTicket extends TicketRow {
  game_id: string;
  account_id: string;
  request_id: string;
  request_hash: Buffer;
  unit_price: bigint;
  digest: Buffer;
}

/** A ticket as its player sees it. */
export function toTicket(row: TicketRow): Ticket {
  return {
    _id: row.id,
    ticketId: row.ticket_no,
    drawId: row.draw_id,
    gameId: row.game_key,
    lines: row.lines.map(({ key: _, ...line }) => line),
    playpoints: pointsOf(row.stake),
    winpoints: row.win === null ? null : pointsOf(row.win),
    status: row.voided ? 'void' : row.win === null ? 'open' : 'settled',
    placedAt: row.placed_at.toISOString(),
  };
}

const TICKET = `t.id, t.ticket_no, t.draw_id, g.game_key, t.lines, t.stake, t.win, t.placed_at,
  exists (select from draws d where d.network_id = t.network_id and d.id = t.draw_id and d.status = 'void') as voided`;

/** The tickets that these requests have made already, by `accountId requestId`. */
export async function findRequests(
  tx: Tx,
  networkId: number,
  requests: readonly { accountId: string; requestId: string }[],
): Promise<Map<string, TicketRow & { request_hash: Buffer }>> {
  const rows = await tx.query<TicketRow & { account_id: string; request_id: string; request_hash: Buffer }>(
    `select ${TICKET}, t.account_id, t.request_id, t.request_hash
     from unnest($2::uuid[], $3::text[]) as r (account_id, request_id)
     join tickets t on t.network_id = $1 and t.account_id = r.account_id and t.request_id = r.request_id
     join games g on g.id = t.game_id`,
    [networkId, requests.map((request) => request.accountId), requests.map((request) => request.requestId)],
    'tickets-requests',
  );
  return new Map(rows.map((row) => [`${row.account_id} ${row.request_id}`, row]));
}

/** Writes the tickets of a batch in one statement. */
export async function insertTickets(tx: Tx, networkId: number, tickets: readonly NewTicket[]): Promise<void> {
  const column = <K extends keyof NewTicket>(name: K): NewTicket[K][] => tickets.map((ticket) => ticket[name]);
  await tx.query(
    `insert into tickets (network_id, id, ticket_no, draw_id, game_id, account_id, request_id, request_hash, lines, unit_price,
                          stake, digest, placed_at)
     select $1, * from unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::bytea[], $9::jsonb[],
                              $10::bigint[], $11::bigint[], $12::bytea[], $13::timestamptz[])`,
    [
      networkId,
      column('id'),
      column('ticket_no'),
      column('draw_id'),
      column('game_id'),
      column('account_id'),
      column('request_id'),
      column('request_hash'),
      tickets.map((ticket) => JSON.stringify(ticket.lines)),
      column('unit_price'),
      column('stake'),
      column('digest'),
      column('placed_at'),
    ],
    'tickets-insert',
  );
}

/** Adds the stakes of a batch to the sums of their draws, in key order so that batches never wait for each other in a ring. */
export async function addExposures(tx: Tx, networkId: number, tickets: readonly NewTicket[]): Promise<void> {
  const sums = new Map<string, { drawId: string; key: string; stake: bigint }>();
  for (const ticket of tickets) {
    for (const line of ticket.lines) {
      const name = `${ticket.draw_id} ${line.key}`;
      const sum = sums.get(name) ?? { drawId: ticket.draw_id, key: line.key, stake: 0n };
      sum.stake += BigInt(line.qty) * ticket.unit_price;
      sums.set(name, sum);
    }
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
  await tx.query(
    `insert into exposures (network_id, draw_id, bet_key, stake)
     select $1, * from unnest($2::uuid[], $3::text[], $4::bigint[])
     on conflict (network_id, draw_id, bet_key) do update set stake = exposures.stake + excluded.stake`,
    [networkId, rows.map((row) => row.drawId), rows.map((row) => row.key), rows.map((row) => row.stake)],
    'exposures-add',
  );
}

/** What is staked on each bet of a draw, in hundredths, by bet key. */
export async function stakesOf(on: Queryable, draw: { network_id: number; id: string }): Promise<Map<string, bigint>> {
  const rows = await on.query<{ bet_key: string; stake: bigint }>(
    'select bet_key, stake from exposures where network_id = $1 and draw_id = $2 order by bet_key',
    [draw.network_id, draw.id],
    'exposures-of',
  );
  return new Map(rows.map((row) => [row.bet_key, row.stake]));
}

/** A player's own tickets, newest first, and how many there are. */
export async function listTickets(
  on: Queryable,
  owner: { networkId: number; accountId: string },
  page: { gameKey: string | undefined; limit: number; offset: number },
): Promise<{ tickets: Ticket[]; total: number }> {
  const where = `t.network_id = $1 and t.account_id = $2 and ($3::text is null or g.game_key = $3)`;
  const values = [owner.networkId, owner.accountId, page.gameKey ?? null];
  const rows = await on.query<TicketRow>(
    `select ${TICKET} from tickets t join games g on g.id = t.game_id where ${where} order by t.id desc limit $4 offset $5`,
    [...values, page.limit, page.offset],
  );
  const [count] = await on.query<{ total: bigint }>(
    `select count(*) as total from tickets t join games g on g.id = t.game_id where ${where}`,
    values,
  );
  return { tickets: rows.map(toTicket), total: Number(count!.total) };
}

/** Whether an account has tickets whose draws are not finished. */
export async function hasOpenTickets(
  on: Queryable,
  { id, network_id }: Pick<Target, 'id' | 'network_id'>,
): Promise<boolean> {
  const [ticket] = await on.query(
    `select from tickets t join draws d on d.network_id = t.network_id and d.id = t.draw_id
     where t.network_id = $1 and t.account_id = $2 and d.status in ('open', 'closed', 'drawn') limit 1`,
    [network_id, id],
  );
  return ticket !== undefined;
}

/** Whether there has been play at or below an account. */
export async function hasPlayed(
  on: Queryable,
  { id, network_id }: Pick<Target, 'id' | 'network_id'>,
): Promise<boolean> {
  const [ticket] = await on.query(
    `select from tickets t join accounts a on a.id = t.account_id
     where t.network_id = $2 and a.chain @> array[$1]::uuid[] limit 1`,
    [id, network_id],
  );
  return ticket !== undefined;
}
