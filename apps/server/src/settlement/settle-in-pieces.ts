import { sql } from '../db/sql.ts';
import { WALLET_KINDS } from '@drawhouse/rules/ledger-kinds';
import type { Tx } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { endOf } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { lockOwned, payOut } from '../ledger/pay-out.ts';
import { lockWallets, move } from '../ledger/post.ts';
import { largestBalance } from '../ledger/wallets.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { listExcluded } from '../protection/protection.sql.ts';
import type { ClaimServices } from '../tickets/claim-waiting.ts';
import { coverReturn } from './cover.ts';
import { foreseeSums, lockEarners, settlePlayers } from './settle-players.ts';
import { commissionsOf, payAndCount, remaindersOf, winnersOf, winsOf } from './settle-tickets.ts';

/**
 * Sizes of the pieces in which a draw is settled. A draw with few tickets is settled whole. A piece ends at a number of players, or earlier at a number
 * of tickets, because a player who bets meanwhile waits for the piece. All tickets of its last player belong to it.
 */
export interface PieceSizes {
  readonly wholeUpTo: number;
  readonly players: number;
  readonly tickets: number;
}

/** The usual sizes. */
export const PIECE_SIZES: PieceSizes = { wholeUpTo: 10_000, players: 3_000, tickets: 5_000 };

/** Less than any id of an account. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * The most that a wallet may have, or owe, before a draw is settled in pieces: with all that the draw pays, which is 2^53 hundredths at most (`readTableBound`),
 * and with whatever it gets until it is paid, it stays in what the books can hold, 2^63.
 */
const MOST_BEFORE = 2n ** 62n;

/** A draw that can't be settled: a sum is larger than the books can hold. It has the SQLSTATE that a wallet would answer with. */
class SumTooLarge extends Error {
  readonly code = '22003';
}

/**
 * Begins to settle a draw with many tickets: computes what it comes to, sees that every wallet can hold that, and moves the stakes from the escrow to the table. From
 * here on it is paid, by {@link settlePiece}. Throws SQLSTATE 22003 where something could not be held.
 */
export async function beginSettling(tx: Tx, { clock, newId, events }: ClaimServices, draw: DrawRow): Promise<void> {
  const { network_id: networkId, id: drawId, game_id: gameId } = draw;
  const sums = await foreseeSums(tx, draw);
  const balance = await largestBalance(tx, networkId);
  const [most] = await tx.query<{ counted: bigint }>(
    sql`select coalesce((select max(greatest(stake, win)) from rollups where network_id = ${networkId} and game_id = ${gameId} and grain = 'day'
                        and account_id = any(array(select unnest(a.chain[1:2]) from accounts a join networks n on n.admin_id = a.id where n.id = ${networkId}))), 0) as counted`.named(
      'settle-most',
    ),
  );
  if (balance > MOST_BEFORE || most!.counted > MOST_BEFORE)
    throw new SumTooLarge('A sum of this draw could become larger than the books can hold.');
  const [escrow, table]: [WalletName, WalletName] = [`escrow:${gameId}`, `table:${gameId}`];
  // A cover for a declared result goes back if the result was generated after all.
  const returned = draw.source === 'declared' ? [] : (await coverReturn(tx, draw)).postings;
  const wallets = await lockWallets(tx, networkId, [escrow, table, ...returned.map(({ to }) => to)]);
  const at = endOf(draw, clock.now());
  const collect = { kind: 'collect', actorId: null, reference: drawId } as const;
  await move(tx, networkId, { at, newId, events }, wallets, [
    { from: escrow, to: table, amount: sums.stake, ...collect },
    ...returned,
  ]);
  await tx.query(
    sql`insert into draw_settlings (network_id, draw_id, began_at, players, stake, win, manual_claims) values (${networkId}, ${drawId}, ${at}, ${sums.players}, ${sums.stake}, ${sums.win}, ${draw.manual_claims})`,
  );
}

/**
 * Takes the next step of a draw that is being settled, in a transaction that has locked it: pays the next players in the order of their accounts, a piece of them, or when
 * all have been, those above them, and counts the draw. What is written is how far it is, so a step that was not committed is taken again, and the keys of
 * what it writes forbid to pay twice. Gives when the draw was settled; null where more is to come.
 */
export async function settlePiece(
  tx: Tx,
  services: ClaimServices,
  draw: DrawRow,
  sizes: PieceSizes,
): Promise<Date | null> {
  const next = await nextPlayers(tx, draw, sizes);
  if (next.upTo === null) return endSettling(tx, services, draw);

  const { network_id: networkId } = draw;
  const range = { after: next.after, upTo: next.upTo };
  const table: WalletName = `table:${draw.game_id}`;
  const players = sql`and account_id > ${range.after}::uuid and account_id <= ${range.upTo}::uuid`;
  await lockEarners(tx, draw, players);
  await lockOwned(tx, networkId, {
    owners: sql`select account_id from tickets where network_id = ${networkId}::int and draw_id = ${draw.id}::uuid ${players}`,
    kinds: [draw.manual_claims ? WALLET_KINDS.winnings : WALLET_KINDS.credit],
    and: table,
  });
  // Under the locks, so that it rises in each wallet's history; and no two pieces have the same.
  const at = later(endOf(draw, services.clock.now()), next.last_paid_at);
  const sums = await settlePlayers(tx, draw, { ...range, at });
  await tx.query(
    sql`insert into settlement_pieces (network_id, draw_id, paid_at, players, paid) values (${networkId}, ${draw.id}, ${at}, ${sums.players}, ${sums.paid})`.named(
      'settle-piece-record',
    ),
  );
  const postings = sql`${winsOf(draw, players)} union all ${commissionsOf(draw, 'players', players)}`;
  await payOut(tx, networkId, at, { from: table, postings, remainders: remaindersOf(draw, at) });
  return null;
}

/** The players who are paid next: those behind one account and up to another; none where all have been. */
async function nextPlayers(
  tx: Tx,
  draw: DrawRow,
  { players, tickets }: PieceSizes,
): Promise<{ after: string; upTo: string | null; last_paid_at: Date | null }> {
  const [next] = await tx.query<{ after: string; upTo: string | null; last_paid_at: Date | null }>(
    sql`with paid as materialized (
       select coalesce((select account_id from player_settlements where network_id = ${draw.network_id} and draw_id = ${draw.id} order by account_id desc limit 1), ${BEFORE_ALL}::uuid) as account_id
     )
     select paid.account_id as after,
            (select account_id from (
               select distinct account_id from (
                 select account_id from tickets where network_id = ${draw.network_id} and draw_id = ${draw.id} and account_id > paid.account_id order by account_id limit ${tickets}
               ) as next order by account_id limit ${players}
             ) as piece order by account_id desc limit 1) as "upTo",
            coalesce((select max(paid_at) from settlement_pieces where network_id = ${draw.network_id} and draw_id = ${draw.id}),
                     (select began_at from draw_settlings where network_id = ${draw.network_id} and draw_id = ${draw.id})) as last_paid_at
     from paid`.named('settle-next'),
  );
  return next!;
}

/** The time, or the millisecond after another one that is not before it. */
function later(at: Date, than: Date | null): Date {
  return than !== null && than >= at ? new Date(than.getTime() + 1) : at;
}

/** Pays those above the players, and counts the draw: it came to what was computed first. Gives the time. */
async function endSettling(tx: Tx, services: ClaimServices, draw: DrawRow): Promise<Date> {
  await lockEarners(tx, draw, undefined, true);
  const [came] = await tx.query<{
    stake: bigint;
    win: bigint;
    last_paid_at: Date;
    is_foreseen: boolean;
  }>(
    sql`select s.stake, s.win, p.last_paid_at, (s.players, s.stake, s.win) = (b.players, b.stake, b.win) as is_foreseen
     from draw_settlings b,
          (select count(*) as players, coalesce(sum(stake), 0)::bigint as stake, coalesce(sum(win), 0)::bigint as win
           from player_settlements where network_id = ${draw.network_id} and draw_id = ${draw.id}) as s,
          (select max(paid_at) as last_paid_at
           from settlement_pieces where network_id = ${draw.network_id} and draw_id = ${draw.id}) as p
     where b.network_id = ${draw.network_id} and b.draw_id = ${draw.id}`.named('settle-came-to'),
  );
  if (!came?.is_foreseen)
    throw new Error(
      `Draw ${draw.id} has paid something else than it was computed to come to. Look at it with the audit.`,
    );
  const paid = {
    from: `table:${draw.game_id}`,
    postings: commissionsOf(draw, 'above'),
    ...(draw.manual_claims && { alsoLocks: await waitingOf(tx, services, draw) }),
  } as const;
  // No piece was paid after it, whosever clock is ahead.
  const clock = { now: () => new Date(Math.max(services.clock.now().getTime(), came.last_paid_at.getTime())) };
  return payAndCount(tx, { ...services, clock }, draw, { sums: came, paid });
}

/**
 * Where wins are to be claimed: the winnings of all who have won, which an exclusion needs too, and the credit of those who are excluded, whose wins are claimed with the end.
 * No bet needs any of them.
 */
async function waitingOf(tx: Tx, { clock }: ClaimServices, draw: DrawRow): Promise<Sql> {
  const excluded = await listExcluded(tx, draw.network_id, clock.now());
  return sql`${winnersOf(draw, WALLET_KINDS.winnings)} union ${winnersOf(draw, WALLET_KINDS.credit)} and account_id = any(${excluded}::uuid[])`;
}
