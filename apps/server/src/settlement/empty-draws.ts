import type { Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { panelChanged } from '../games/pairs/pairs.ts';
import { readTerms } from '../draws/draw-terms.ts';
import {
  closeEmpty,
  lockTicketless,
  settleEmpty,
  type DueDraw,
  type LockedDraw,
} from '../draws/schedule/due-draws.sql.ts';
import { arrayOf, sql } from '../platform/db/sql/sql.ts';
import type { Drawable, PreparedResults } from '../draws/results/generate-result.ts';

export interface EmptyDrawParts {
  readonly services: Services;
  readonly results: PreparedResults;
}

/** Excludes draws locked elsewhere. */
export interface BulkOutcome {
  /**
   * Need individual steps: with tickets (counted up to a bound), seed pending or unreadable, or closing in the future.
   */
  readonly alone: readonly { readonly draw: DueDraw; readonly tickets: number }[];
  readonly done: readonly DueDraw[];
}

const COUNTED_TICKETS = 10_000;

/** Closes in one transaction. Also prepares their results. */
export async function closeWithoutTickets(
  { services, results }: EmptyDrawParts,
  tx: Tx,
  networkId: number,
  draws: readonly DueDraw[],
): Promise<BulkOutcome> {
  // Pipelined in order: under the locks no new tickets arrive.
  const [locked, counts] = await Promise.all([
    lockTicketless(tx, networkId, draws, 'open'),
    countTickets(tx, networkId, draws, COUNTED_TICKETS),
  ]);
  const empty = locked.filter((draw) => !counts.has(draw.id));
  await closeEmpty(tx, networkId, empty, services.clock.now());
  for (const draw of empty) panelChanged(services, tx, draw);
  const drawable = await withTerms(tx, empty);
  tx.onCommit(() => results.prepare(drawable));
  const closed = new Set(empty.map(({ id }) => id));
  return {
    done: draws.filter(({ id }) => closed.has(id)),
    alone: draws.filter(({ id }) => counts.has(id)).map((draw) => ({ draw, tickets: counts.get(draw.id)! })),
  };
}

/** Settles closed draws without saved result, in one transaction. */
export async function settleWithoutTickets(
  { services, results }: EmptyDrawParts,
  tx: Tx,
  networkId: number,
  draws: readonly DueDraw[],
): Promise<BulkOutcome> {
  const locked = await withTerms(tx, await lockTicketless(tx, networkId, draws, 'closed'));
  const settled = locked.flatMap((draw) => results.resultOf(draw) ?? []);
  const done = new Set(settled.map(({ id }) => id));
  for (const draw of locked) if (done.has(draw.id)) panelChanged(services, tx, draw);
  await settleEmpty(tx, networkId, settled, services.clock.now());
  const lockedIds = new Set(locked.map(({ id }) => id));
  return {
    done: draws.filter(({ id }) => done.has(id)),
    alone: draws.filter(({ id }) => lockedIds.has(id) && !done.has(id)).map((draw) => ({ draw, tickets: 0 })),
  };
}

async function withTerms(tx: Tx, draws: readonly LockedDraw[]): Promise<readonly Drawable[]> {
  const terms = await readTerms(tx, new Set(draws.map((draw) => draw.terms_id)));
  return draws.map((draw) => ({ ...draw, own: terms.get(draw.terms_id)! }));
}

async function countTickets(
  tx: Tx,
  networkId: number,
  draws: readonly { readonly id: string }[],
  upTo: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ id: string; count: bigint }>(
    sql`select * from (
       select draw.id, (select count(*) from (
           select from tickets t where t.network_id = ${networkId} and t.draw_id = draw.id limit ${upTo}) as counted) as count
       from unnest(${arrayOf(draws.map((draw) => draw.id))}::uuid[]) as draw (id)) as counts
     where count > 0`.named('tickets-count'),
  );
  return new Map(rows.map((row) => [row.id, Number(row.count)]));
}
