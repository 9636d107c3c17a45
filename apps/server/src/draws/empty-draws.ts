import { generateDraw } from '@drawhouse/rules/fair';
import type { Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { rulesOf } from '../games/games.sql.ts';
import { panelChanged } from '../games/pairs.ts';
import { readTerms } from './draw-terms.ts';
import { closeEmpty, lockAmong, settleEmpty } from './due-draws.sql.ts';
import type { DueDraw, SettledDraw } from './due-draws.sql.ts';
import { seedOfDraw } from './draw-seed.ts';
import { readParts } from './kept-seed.ts';
import { readSeed } from './seeds.ts';
import type { SeedVault } from './seeds.ts';

/** What tells draws without tickets from others. */
export interface TicketCounts {
  /** How many tickets draws of a network have, counted up to a bound; a draw without any is left out. */
  countTickets(
    tx: Tx,
    networkId: number,
    draws: readonly Pick<DueDraw, 'id'>[],
    upTo: number,
  ): Promise<ReadonlyMap<string, number>>;
}

/** What a step on many draws has done, and leaves undone, beside what somebody else had locked. */
export interface Undone {
  /** What is to be done one by one: draws with tickets, with their number up to a bound, and those whose seed can't be read, or lacks a part that others keep. */
  readonly alone: readonly { readonly draw: DueDraw; readonly tickets: number }[];
  /** What it has done. */
  readonly done: readonly DueDraw[];
}

/** Tickets are counted up to here: enough to tell a large draw from others. */
const COUNTED_TICKETS = 10_000;

/** Closes those of some draws of a network that have no tickets, in one transaction. */
export async function closeWithoutTickets(
  services: Services,
  tickets: TicketCounts,
  tx: Tx,
  networkId: number,
  draws: readonly DueDraw[],
): Promise<Undone> {
  // Said at once and done in this order: under the locks no more tickets come.
  const [locked, counts] = await Promise.all([
    lockAmong(tx, networkId, draws, 'open'),
    tickets.countTickets(tx, networkId, draws, COUNTED_TICKETS),
  ]);
  const empty = locked.filter((draw) => !counts.has(draw.id));
  await closeEmpty(tx, networkId, empty, services.clock.now());
  for (const draw of empty) panelChanged(services, tx, draw);
  const closed = new Set(empty.map(({ id }) => id));
  return {
    done: draws.filter(({ id }) => closed.has(id)),
    alone: draws.filter(({ id }) => counts.has(id)).map((draw) => ({ draw, tickets: counts.get(draw.id)! })),
  };
}

/** Draws and settles those of some draws of a network that are closed without tickets and without a saved result, in one transaction. */
export async function settleWithoutTickets(
  services: Services,
  vault: SeedVault,
  tx: Tx,
  networkId: number,
  draws: readonly DueDraw[],
): Promise<Undone> {
  const locked = new Map((await lockAmong(tx, networkId, draws, 'closed')).map((draw) => [draw.id, draw]));
  const terms = await readTerms(tx, new Set([...locked.values()].map((draw) => draw.terms_id)));
  const kept = await readParts(
    tx,
    networkId,
    [...locked.values()].map((draw) => ({ id: draw.id, kept: terms.get(draw.terms_id)!.kept ?? null })),
  );
  const settled = new Map<string, SettledDraw>();
  for (const draw of locked.values()) {
    const seed = readSeed(vault, draw);
    const parts = kept.get(draw.id);
    if (!seed || (parts && 'lacks' in parts)) continue;
    const own = terms.get(draw.terms_id)!;
    const { pays, weights } = own;
    const rules = rulesOf({ ...draw, pays });
    const whole = seedOfDraw({ ...draw, ...own }, seed, parts, draw.terms_id);
    const { result, booster } = generateDraw({ rules, weights, seed: whole, drawId: draw.id });
    settled.set(draw.id, { ...draw, seed, result, booster, label: rules.resultLabel(result) });
    panelChanged(services, tx, draw);
  }
  await settleEmpty(tx, networkId, [...settled.values()], services.clock.now());
  return {
    done: draws.filter(({ id }) => settled.has(id)),
    alone: draws.filter(({ id }) => locked.has(id) && !settled.has(id)).map((draw) => ({ draw, tickets: 0 })),
  };
}
