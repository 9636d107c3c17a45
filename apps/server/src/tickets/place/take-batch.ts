import type { StoredLine } from '@drawhouse/rules/games/ticket-lines';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { readKeyBounds } from '../../api-keys/key-bounds.ts';
import { recordProgramPlay } from '../../auth/sessions/presence.ts';
import { sessionStates } from '../../auth/sessions/sessions.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { gameNotOpen, panelChanged } from '../../games/pairs/pairs.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { isBeyondEscrow, lockCredits, moveStakes } from '../../ledger/stakes.ts';
import { createPlayerCache, type PlayerCache } from '../../protection/player-cache.ts';
import { pauseRefusal, readOwnLimits } from '../../protection/own-limits.ts';
import { type ProtectedPlayer, readProtected } from '../../protection/player-standing.ts';
import type { Today } from '../../protection/usage.ts';
import { type BetDraw, type DrawFacts, lockBetDraw, readDrawFacts } from './bet-draw.ts';
import { type BetLimits, readBetLimits } from './bet-limits.ts';
import { type BetOutcome, judgeBets, type OpenDraw, type ParsedBet } from './judge-bets.ts';
import { type BetOrder, requestOf } from './bet-order.ts';
import { addExposures, findClearedRequests, findRequests, insertTickets } from '../tickets.sql.ts';
import { readTableBound } from '../table/table-bound.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';
import { arrayOf, sql } from '../../platform/db/sql/sql.ts';

export interface TakeOptions {
  readonly whereLocked: 'skip' | 'wait';
  readonly known: PlayerCache;
  readonly exact?: boolean;
  /** All orders bet on this draw, which was opened ahead of its time. */
  readonly aheadId?: string;
}

/** Retries exactly if concurrent stakes invalidated the table estimate. */
export async function takeInTransaction(
  services: Services,
  networkId: number,
  orders: readonly BetOrder[],
  how: TakeOptions,
): Promise<BetOutcome[]> {
  try {
    return await services.db.pipelined((tx) => takeBatch(services, tx, networkId, orders, how));
  } catch (error) {
    if (how.exact || !isBeyondEscrow(error)) throw error;
    return services.db.pipelined((tx) => takeBatch(services, tx, networkId, orders, { ...how, exact: true }));
  }
}

/**
 * Takes one batch of bets for one game of one network, in arrival order, in a single transaction. Request ids must be
 * distinct. Locks the draw first, so a bet is either in the ticket tree or refused. Each bet is judged against balance
 * and limits left by earlier ones. Independent statements are pipelined: two round trips, plus one for limits and one
 * for uncached protection data. Returns one outcome per bet, same order.
 */
export async function takeBatch(
  services: Services,
  tx: Tx,
  networkId: number,
  orders: readonly BetOrder[],
  { whereLocked, known: knownPlayers, exact = false, aheadId }: TakeOptions = {
    whereLocked: 'wait',
    known: createPlayerCache(),
  },
): Promise<BetOutcome[]> {
  const [{ gameKey }] = orders as [BetOrder];
  const players = [...new Set(orders.map((order) => order.actor.id))];
  const requests = orders.map((order) => requestOf(order.actor.id, order.requestId));
  // A bet that names its draw cannot move to a later one.
  const unnamed = requests.filter((_, index) => orders[index]!.drawId === undefined);
  const [bettable, wallets, states, earlier, cleared, stops] = await Promise.all([
    lockBetDraw(tx, networkId, gameKey, services.clock.now(), aheadId),
    lockCredits(tx, networkId, players, whereLocked),
    // Under wallet locks: catches deactivations and requests taken by another server.
    sessionStates(
      tx,
      orders.map(({ actor, sessionId }) => ({ accountId: actor.id, sessionId })),
    ),
    findRequests(tx, networkId, requests),
    findClearedRequests(tx, networkId, unnamed),
    readSellingStops(tx, networkId, players),
  ]);
  if (whereLocked === 'wait') requireAll(wallets, players, networkId);
  // Time under locks: no ticket postdates closing or breaks wallet order.
  const at = services.clock.now();
  const [known, protectedOnes] = await Promise.all([
    bettable && readDrawFacts(tx, networkId, bettable),
    readProtected(tx, networkId, wallets, knownPlayers),
  ]);
  const read = orders.map((order) => {
    const refusal = bettable ? closedRefusal(order, bettable, at) : gameNotOpen();
    return refusal ?? readLines(known!, order);
  });
  const { newId, timeZone, events } = services;
  const open =
    bettable && (await boundsFor(tx, bettable, known!, { orders, read, players: protectedOnes, at, timeZone, exact }));
  const { outcomes, tickets } = judgeBets({
    orders,
    requests,
    read,
    // An account may look inactive while its network is exchanged; the closed books refuse its bets.
    states: bettable?.hasOpenBooks === false ? orders.map(() => 'good' as const) : states,
    pauses: new Map([...stops, ...pausesOf(protectedOnes, { at, timeZone })]),
    earlier,
    cleared,
    credits: wallets,
    open,
    at,
    newId,
  });
  if (tickets.length === 0) return outcomes;

  const { row } = known!;
  const placed = { drawId: row.id, unitPrice: row.unit_price, at, tickets };
  await insertTickets(tx, networkId, placed);
  const stakes = tickets.map(({ id, account_id, stake }) => ({ accountId: account_id, amount: stake, reference: id }));
  await moveStakes(tx, networkId, { at, newId, events }, wallets, {
    gameId: row.game_id,
    stakes,
    escrowAtMost: open!.bound.escrowAtMost,
  });
  // After the escrow lock, same order as limit readers.
  await addExposures(tx, networkId, placed);
  await open!.keys.write(tx);
  const { timed } = open!.own;
  const playing = tickets.filter(({ api_key, account_id }) => api_key !== 0 && timed.has(account_id));
  if (playing.length > 0) await recordProgramPlay(tx, [...new Set(playing.map(({ account_id }) => account_id))], at);
  panelChanged(services, tx, row, 'stakes');
  tx.onCommit(open!.own.keep);
  return outcomes;
}

function requireAll(wallets: ReadonlyMap<string, unknown>, players: readonly string[], networkId: number): void {
  for (const player of players)
    if (!wallets.has(player)) throw new Error(`No wallet of account ${player} in network ${networkId}.`);
}

function closedRefusal(order: BetOrder, draw: BetDraw, at: Date): CallError | undefined {
  if (!draw.hasOpenBooks) return new CallError('NETWORK_RESTORING');
  if (order.drawId !== undefined && order.drawId !== draw.id)
    return new CallError('BETTING_CLOSED', { fields: { drawId: TICKET_TEXTS.notRunning } });
  const isOpen = draw.isLocked && draw.draw_status === 'open' && at < draw.closes_at && at >= draw.opens_at;
  return isOpen ? undefined : new CallError('BETTING_CLOSED');
}

function readLines(draw: DrawFacts, order: BetOrder): ParsedBet | CallError {
  const { rules, row } = draw;
  const lines: StoredLine[] = [];
  let units = 0;
  for (const [index, line] of order.lines.entries()) {
    const bet = rules.parseBet(line);
    if (!bet.ok) return new CallError('INVALID_INPUT', { fields: { [`lines.${index}.${bet.field}`]: bet.message } });
    lines.push({ key: bet.key, qty: line.qty });
    units += line.qty;
  }
  return { lines, stake: BigInt(units) * row.unit_price };
}

async function boundsFor(
  tx: Tx,
  draw: BetDraw,
  known: DrawFacts,
  { orders, read, players, at, timeZone, exact }: LimitInput,
): Promise<OpenDraw> {
  const sessions = new Set(orders.flatMap(({ sessionId }) => sessionId ?? []));
  const networkId = known.row.network_id;
  const [keys, limits, own, bound] = await Promise.all([
    // Before the escrow, which limits lock.
    readKeyBounds(tx, networkId, orders, { at, timeZone }),
    limitsFor(tx, draw, known, orders, read),
    readOwnLimits(tx, {
      networkId,
      drawId: draw.id,
      players,
      stakes: () => stakesOf(orders, read),
      sessions,
      at,
      timeZone,
    }),
    readTableBound(tx, draw, known, { lines: linesIn(read), stake: sumOf(read) }, exact),
  ]);
  return { draw: known, keys, limits, own, bound };
}

interface LimitInput extends Today {
  readonly orders: readonly BetOrder[];
  readonly read: readonly (ParsedBet | CallError)[];
  readonly exact: boolean;
  readonly players: readonly ProtectedPlayer[];
}

function pausesOf(players: readonly ProtectedPlayer[], today: Today): Map<string, CallError> {
  const pauses = new Map<string, CallError>();
  for (const { id, known } of players) {
    const refusal = pauseRefusal(known.standing, today);
    if (refusal) pauses.set(id, refusal);
  }
  return pauses;
}

function stakesOf(orders: readonly BetOrder[], read: readonly (ParsedBet | CallError)[]): Map<string, bigint> {
  const stakes = new Map<string, bigint>();
  for (const [index, bet] of read.entries()) {
    if (bet instanceof CallError) continue;
    const { id } = orders[index]!.actor;
    stakes.set(id, (stakes.get(id) ?? 0n) + bet.stake);
  }
  return stakes;
}

function* linesIn(read: readonly (ParsedBet | CallError)[]): Generator<StoredLine> {
  for (const bet of read) if (!(bet instanceof CallError)) yield* bet.lines;
}

function sumOf(read: readonly (ParsedBet | CallError)[]): bigint {
  return read.reduce((sum, bet) => (bet instanceof CallError ? sum : sum + bet.stake), 0n);
}

function limitsFor(
  tx: Tx,
  draw: BetDraw,
  { row, rules }: DrawFacts,
  orders: readonly BetOrder[],
  read: readonly (ParsedBet | CallError)[],
): Promise<BetLimits> {
  const bets = read.flatMap((bet, index) => (bet instanceof CallError ? [] : [{ bet, id: orders[index]!.actor.id }]));
  return readBetLimits(tx, row, draw, {
    rules,
    keys: [...new Set(bets.flatMap(({ bet }) => bet.lines.map(({ key }) => key)))],
    accountIds: [...new Set(bets.map(({ id }) => id))],
  });
}

/**
 * Players below an account whose floor is passed. Credit is read here, exactly; `stopped_at` says if an account owes
 * too much.
 */
async function readSellingStops(
  tx: Tx,
  networkId: number,
  players: readonly string[],
): Promise<ReadonlyMap<string, CallError>> {
  const stopped = await tx.query<{ id: string }>(
    // Rarely any floor is passed, so accounts are read last.
    sql`with stopped as materialized (
       select o.account_id from standing_orders o where o.network_id = ${networkId} and o.kind = 'floor' and o.ended_at is null
         and case o.measure when 'owed' then o.stopped_at is not null
           else coalesce((select w.balance from wallets w where w.network_id = ${networkId} and w.owner_id = o.account_id
             and w.kind = ${sql.lit(WALLET_KINDS.credit)}), 0) < o.amount end)
     select id from accounts where id = any(${arrayOf(players)}::uuid[]) and exists (select from stopped)
       and chain && (select array_agg(account_id) from stopped)`.named('bet-selling-stops'),
  );
  return new Map(stopped.map(({ id }) => [id, new CallError('SELLING_STOPPED')]));
}
