import { isDeepStrictEqual } from 'node:util';
import { SETTLEMENT_SUMS } from '@drawhouse/rules/records/settlement-sums';
import { shareBooksLock } from '../../activity/network-work/closed-books.ts';
import { shareNetworkLock } from '../../activity/network-work/network-work.ts';
import { lockDraw, selectDraws, type DrawnRow } from '../../draws/draws.sql.ts';
import { lockWallets, move, type LockedWallets, type Posting } from '../../ledger/post.ts';
import type { WalletName } from '../../ledger/wallets.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { Tx } from '../../platform/db/database.ts';
import { arrayOf, sql, type Sql } from '../../platform/db/sql/sql.ts';
import { claimWaiting } from '../../tickets/claim/claim-leftovers.ts';
import { notifyPaid, type SettleMeans } from '../pay/settle-draw.ts';
import { BEFORE_ALL, pieceEnd, type PieceSizes } from '../pay/settle-in-pieces.ts';
import { wonBy } from '../pay/settle-players.ts';
import { quarterOf } from '../pay/settle-tickets.ts';

/** In hundredths. `short` could not be taken back. */
export interface CorrectedSums {
  readonly tickets: number;
  readonly paid: bigint;
  readonly takenBack: bigint;
  readonly short: bigint;
  /** False: other pieces follow. */
  readonly isWhole: boolean;
}

interface Correction {
  readonly draw: DrawnRow;
  readonly nth: number;
}

/** A ticket that had another win or payment before. In hundredths. */
interface Concerned {
  readonly id: string;
  readonly account_id: string;
  readonly win: bigint;
  /** In total so far. */
  readonly paid: bigint;
}

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Corrects the tickets of a small draw, or the first piece of a large one. Expects a locked draw. */
export async function correctTickets(means: SettleMeans, tx: Tx, draw: DrawnRow, nth: number): Promise<CorrectedSums> {
  return (await correctPiece(means, tx, { draw, nth }, BEFORE_ALL)).sums;
}

/** Continues corrections in pieces, also after a crash: written rows mark progress. */
export async function continueCorrections(means: SettleMeans): Promise<void> {
  const { db } = means.services;
  const waiting = await db.query<{ network_id: number; draw_id: string; nth: number }>(
    sql`select network_id, draw_id, nth from corrections where done_at is null
      ${sql.raw(crossNetworkComment('corrections'))}`.named('corrections-waiting'),
  );
  for (const each of waiting)
    for (let after: string | null = BEFORE_ALL; after !== null;)
      after = await db.transaction((tx) => continueOne(means, tx, each, after!));
}

/** Returns the last account of the piece; null if nothing is left to do now. */
async function continueOne(
  means: SettleMeans,
  tx: Tx,
  { network_id: networkId, draw_id: drawId, nth }: { network_id: number; draw_id: string; nth: number },
  after: string,
): Promise<string | null> {
  // Skips staged copies, and waits for restores.
  if (!(await shareNetworkLock(tx, networkId)) || !(await shareBooksLock(tx, networkId))) return null;
  const [found] = await selectDraws(tx, sql`where d.network_id = ${networkId} and d.id = ${drawId}`, 'draw-corrected');
  if (!found) return null;
  const draw = (await lockDraw(tx, found)) as DrawnRow;
  const [state] = await tx.query<{ last: string | null }>(
    sql`select (select account_id from ticket_corrections t where t.network_id = ${networkId} and t.draw_id = ${drawId}
        and t.nth = ${nth} order by account_id desc limit 1) as last
      from corrections where network_id = ${networkId} and draw_id = ${drawId} and nth = ${nth} and done_at is null`,
  );
  if (!state) return null;
  const last = state.last ?? BEFORE_ALL;
  return (await correctPiece(means, tx, { draw, nth }, last > after ? last : after)).upTo;
}

/** Corrects tickets of players after an account. `upTo`: null after the last. */
async function correctPiece(
  { services, pieceSizes }: SettleMeans,
  tx: Tx,
  correction: Correction,
  after: string,
): Promise<{ readonly sums: CorrectedSums; readonly upTo: string | null }> {
  const { draw, nth } = correction;
  const upTo = await lastOfPiece(tx, draw, after, pieceSizes);
  const players = sql`and account_id > ${after}::uuid and account_id <= ${upTo ?? LAST}::uuid`;
  const concerned = await readConcerned(tx, correction, players);
  const moved = concerned.length > 0 ? await payConcerned(tx, services, correction, concerned) : [];
  const isWhole = upTo === null;
  if (isWhole)
    await tx.query(
      sql`update corrections set done_at = greatest(${services.clock.now()}, at) where network_id = ${draw.network_id}
        and draw_id = ${draw.id} and nth = ${nth}`,
    );
  if (moved.length > 0) notifyPaid(services, tx, draw);
  return { sums: { ...sumsOf(concerned, moved), isWhole }, upTo };
}

/** Null if the piece reaches the last account. */
async function lastOfPiece(tx: Tx, draw: DrawnRow, after: string, sizes: PieceSizes): Promise<string | null> {
  if (after === BEFORE_ALL && (draw.ticket_count ?? 0) <= sizes.wholeUpTo) return null;
  const [next] = await tx.query<{ upTo: string | null }>(
    sql`select ${pieceEnd(draw, sql`${after}::uuid`, sizes)} as "upTo"`.named('correction-next'),
  );
  return next!.upTo;
}

async function readConcerned(tx: Tx, { draw, nth }: Correction, players: Sql): Promise<Concerned[]> {
  const { network_id: network, id } = draw;
  return tx.query<Concerned>(
    sql`with won as materialized (${wonBy(draw, players)})
      select t.id, t.account_id, coalesce(won.win, 0)::bigint as win, coalesce(c.paid, w.win, 0) as paid
      from (select id, account_id from tickets where network_id = ${network} and draw_id = ${id} ${players}) as t
      left join won on won.id = t.id
      left join ticket_wins w on w.network_id = ${network} and w.draw_id = ${id} and w.ticket_id = t.id
      left join lateral (
        select c.win, c.paid from ticket_corrections c where c.network_id = ${network} and c.draw_id = ${id} and c.ticket_id = t.id
          and c.nth < ${nth} order by c.nth desc limit 1
      ) as c on true
      where coalesce(won.win, 0) <> coalesce(c.paid, w.win, 0) or coalesce(won.win, 0) <> coalesce(c.win, w.win, 0)
      -- Players are paid first, so that as much as possible can be taken back.
      order by t.account_id, coalesce(won.win, 0) < coalesce(c.paid, w.win, 0), t.id`.named('correction-concerned'),
  );
}

/** Pays what tickets lack and takes back what they no longer won. Returns the amount that each moved to its player. */
async function payConcerned(
  tx: Tx,
  services: SettleMeans['services'],
  correction: Correction,
  concerned: readonly Concerned[],
): Promise<bigint[]> {
  const { draw, nth } = correction;
  const { clock, newId, events, timeZone } = services;
  const players = [...new Set(concerned.map((ticket) => ticket.account_id))];
  for (;;) {
    await tx.query(sql`savepoint correction`);
    const payees = await readPayees(tx, draw, players);
    const names: WalletName[] = [
      `table:${draw.game_id}`,
      ...[...payees.values()].map((id): WalletName => `credit:${id}`),
      ...players.flatMap((id): WalletName[] =>
        draw.manual_claims ? [`credit:${id}`, `winnings:${id}`] : [`credit:${id}`],
      ),
    ];
    const counted = clock.now();
    // Rollups are locked before wallets, as by settlements.
    await addToRollups(tx, draw, { at: counted, timeZone }, new Map(players.map((id) => [id, 0n])));
    let wallets = await lockWallets(tx, draw.network_id, names);
    const at = clock.now();
    // Deletions lock the player's wallets too.
    const isDeletedMeanwhile = !isDeepStrictEqual(await readPayees(tx, draw, players), payees);
    if (isDeletedMeanwhile || quarterOf(at) !== quarterOf(counted)) {
      await tx.query(sql`rollback to savepoint correction`);
      continue;
    }
    if (draw.manual_claims) {
      await claimWaiting(
        tx,
        services,
        { networkId: draw.network_id, accountIds: players, drawId: draw.id, why: 'corrected' },
        at,
      );
      wallets = await lockWallets(tx, draw.network_id, names);
    }
    const moved = judgeMoves(wallets, payees, concerned);
    const postings = postingsOf(draw, payees, concerned, moved);
    await move(tx, draw.network_id, { at, newId, events }, wallets, postings);
    await insertTicketCorrections(tx, { draw, nth }, { at, concerned, moved });
    await addToRollups(tx, draw, { at, timeZone }, movedByPlayer(concerned, moved));
    return moved;
  }
}

/** By player. The credit of a deleted player went to the parent, so the parent is paid, or the next account above that still exists. */
type Payees = ReadonlyMap<string, string>;

/** Leaves out players of deleted admins: nobody is left to pay. */
async function readPayees(tx: Tx, draw: DrawnRow, players: readonly string[]): Promise<Payees> {
  const rows = await tx.query<{ player: string; payee: string }>(
    sql`select a.id as player, payee.id as payee from accounts a cross join lateral (
        select up.id from accounts up where up.network_id = a.network_id and up.id = any(a.chain) and up.deleted_at is null
        order by cardinality(up.chain) desc limit 1
      ) as payee where a.network_id = ${draw.network_id} and a.id = any(${arrayOf(players)}::uuid[])`.named(
      'correction-payees',
    ),
  );
  return new Map(rows.map(({ player, payee }) => [player, payee]));
}

/** Returns each player's gain per ticket, in order. Takes back at most what the player has left. */
function judgeMoves(wallets: LockedWallets, payees: Payees, concerned: readonly Concerned[]): bigint[] {
  const left = new Map<string, bigint>();
  return concerned.map(({ account_id: player, win, paid }) => {
    const has = left.get(player) ?? wallets.get(`credit:${player}`)!.balance;
    const due = payees.has(player) ? win - paid : 0n;
    const moved = due < -has ? -has : due;
    left.set(player, has + moved);
    return moved;
  });
}

function postingsOf(
  draw: DrawnRow,
  payees: Payees,
  concerned: readonly Concerned[],
  moved: readonly bigint[],
): Posting[] {
  const table: WalletName = `table:${draw.game_id}`;
  return concerned.flatMap(({ id, account_id: player }, index) => {
    const amount = moved[index]!;
    if (amount === 0n) return [];
    const credit: WalletName = `credit:${payees.get(player)!}`;
    const way = amount > 0n ? { from: table, to: credit, amount } : { from: credit, to: table, amount: -amount };
    return [{ ...way, kind: 'correct', actorId: null, reference: id }];
  });
}

interface Moved {
  readonly at: Date;
  readonly concerned: readonly Concerned[];
  readonly moved: readonly bigint[];
}

async function insertTicketCorrections(
  tx: Tx,
  { draw, nth }: Correction,
  { at, concerned, moved }: Moved,
): Promise<void> {
  await tx.query(
    sql`insert into ticket_corrections (network_id, draw_id, nth, at, ticket_id, account_id, win, moved, paid)
      select ${draw.network_id}, ${draw.id}, ${nth}, ${at}, * from unnest(${arrayOf(concerned.map(({ id }) => id))}::uuid[],
        ${arrayOf(concerned.map((ticket) => ticket.account_id))}::uuid[], ${arrayOf(concerned.map(({ win }) => win))}::bigint[],
        ${arrayOf(moved)}::bigint[], ${arrayOf(concerned.map(({ paid }, index) => paid + moved[index]!))}::bigint[])`.named(
      'correction-tickets',
    ),
  );
}

function movedByPlayer(concerned: readonly Concerned[], moved: readonly bigint[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [index, { account_id: player }] of concerned.entries())
    sums.set(player, (sums.get(player) ?? 0n) + moved[index]!);
  return sums;
}

/** Adds to the wins of the players and everyone above, at the time of the correction. */
async function addToRollups(
  tx: Tx,
  draw: DrawnRow,
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
  moved: ReadonlyMap<string, bigint>,
): Promise<void> {
  await tx.query(
    sql`insert into rollups (network_id, game_id, grain, starts_at, account_id, ${sql.raw(SETTLEMENT_SUMS.join(', '))})
      select ${draw.network_id}, ${draw.game_id}, grain, starts_at, up.id, 0, sum(player.moved)::bigint, 0, 0, 0, 0
      from (values ('day', day_start(${at}::timestamptz, ${timeZone})),
                   ('quarter', date_bin('15 minutes', ${at}::timestamptz, timestamptz 'epoch'))) as period (grain, starts_at),
        unnest(${arrayOf([...moved.keys()])}::uuid[], ${arrayOf([...moved.values()])}::bigint[]) as player (id, moved)
        join accounts a on a.id = player.id cross join lateral unnest(a.chain) as up (id)
      group by grain, starts_at, up.id order by grain, up.id
      on conflict (network_id, account_id, grain, starts_at, game_id) do update set win = rollups.win + excluded.win`,
  );
}

function sumsOf(concerned: readonly Concerned[], moved: readonly bigint[]): Omit<CorrectedSums, 'isWhole'> {
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  return {
    tickets: concerned.length,
    paid: sum(moved.filter((amount) => amount > 0n)),
    takenBack: -sum(moved.filter((amount) => amount < 0n)),
    short: sum(concerned.map(({ win, paid }, index) => paid + moved[index]! - win)),
  };
}
