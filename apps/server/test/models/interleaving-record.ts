import type { LimitName } from '@drawhouse/contract/games/limits';
import type { Queryable } from '../../src/platform/db/database.ts';
import { inKinds, kindName } from '../../src/platform/db/sql/sql.ts';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Command } from './interleaving-commands.ts';

interface ToldTicket {
  readonly id: string;
  readonly drawId: string;
  readonly stake: bigint;
}

/** `began` and `ended` are turnstile steps; if one command ended before another began, it came first. */
export interface Event {
  readonly command: Command;
  readonly began: number;
  readonly ended: number;
  readonly status: number;
  readonly code: string | undefined;
  readonly ticket: ToldTicket | undefined;
  readonly stake: bigint;
  readonly lines: readonly (readonly [digit: number, qty: number])[];
  readonly request: string;
  readonly drawId: string | undefined;
  readonly at: Date;
}

export interface EndedDraw {
  readonly id: string;
  readonly closes_at: Date;
  readonly status: string;
  readonly result: { readonly drawno: string } | null;
  readonly booster: number | null;
  readonly source: 'declared' | 'generated' | null;
  /** Net credit from admin to table for this draw. */
  readonly cover: bigint;
  readonly ticket_count: number;
  readonly tickets: readonly { readonly id: string; readonly account_id: string; readonly stake: bigint }[];
}

export interface Earner {
  readonly id: string;
  readonly commission: number;
}

export interface Played {
  readonly limits: Readonly<Record<LimitName, number | null>>;
  readonly events: readonly Event[];
  readonly draws: readonly EndedDraw[];
  readonly before: ReadonlyMap<string, bigint>;
  readonly after: ReadonlyMap<string, bigint>;
  readonly carried: ReadonlyMap<string, bigint>;
  readonly adminId: string;
  readonly players: readonly string[];
  readonly earners: readonly (readonly Earner[])[];
  readonly deadlocks: readonly string[];
}

/** By kind and owner; the game's wallets by kind only. */
export async function readBalances(db: Queryable, networkId: number): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ name: string; balance: bigint }>(
    `select ${kindName(WALLET_KINDS, 'kind').text} ||
       case when kind in ${inKinds(WALLET_KINDS, 'table', 'escrow').text} then '' else ' ' || owner_id end as name, balance
     from wallets where network_id = $1`,
    [networkId],
  );
  return new Map(rows.map(({ name, balance }) => [name, balance]));
}

export async function readCarried(db: Queryable, networkId: number): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ owner_id: string; remainder: number }>(
    `select owner_id, remainder from wallets where network_id = $1 and kind in ${inKinds(WALLET_KINDS, 'commission').text}`,
    [networkId],
  );
  return new Map(rows.map(({ owner_id: owner, remainder }) => [owner, BigInt(remainder)]));
}

export async function readDrawsSince(db: Queryable, networkId: number, first: string): Promise<EndedDraw[]> {
  const draws = await db.query<Omit<EndedDraw, 'tickets'>>(
    `select id, closes_at, status, result, booster, source, coalesce(ticket_count, 0)::int as ticket_count,
       (select coalesce(sum(case when w.kind in ${inKinds(WALLET_KINDS, 'table').text} then x.amount else -x.amount end), 0)::bigint
        from transfers x join wallets w on w.network_id = x.network_id and w.id = x.to_wallet
        where x.network_id = $1 and x.reference = draws.id and x.kind = ${TRANSFER_KINDS.cover}) as cover
     from draws where network_id = $1 and opens_at >= (select opens_at from draws where network_id = $1 and id = $2) order by opens_at`,
    [networkId, first],
  );
  const tickets = await db.query<{ id: string; account_id: string; draw_id: string; stake: bigint }>(
    `select t.id, t.account_id, t.draw_id, t.stake from tickets t
     join transfers x on x.network_id = t.network_id and x.reference = t.id and x.kind = ${TRANSFER_KINDS.stake}
     where t.network_id = $1 and t.draw_id = any($2) order by x.to_version`,
    [networkId, draws.map(({ id }) => id)],
  );
  return draws.map((draw) => ({ ...draw, tickets: tickets.filter((ticket) => ticket.draw_id === draw.id) }));
}
