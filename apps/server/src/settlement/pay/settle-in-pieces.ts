import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Tx } from '../../platform/db/database.ts';
import { endTime, type DrawRow } from '../../draws/draws.sql.ts';
import { lockOwned, payOut } from '../../ledger/pay-out.ts';
import { lockWallets, move } from '../../ledger/post.ts';
import { largestBalance, type WalletName } from '../../ledger/wallets.ts';
import { listExcluded } from '../../protection/protection.sql.ts';
import type { ClaimServices } from '../../tickets/claim/claim-leftovers.ts';
import { coverReturn } from './cover.ts';
import { foreseeSums, lockEarners, settlePlayers } from './settle-players.ts';
import { commissionsOf, payAndCount, remaindersOf, winnersOf, winsOf } from './settle-tickets.ts';

/**
 * Small draws settle whole. A piece ends at `players` or `tickets`, since bettors wait for it, but always includes all
 * tickets of its last player.
 */
export interface PieceSizes {
  readonly wholeUpTo: number;
  readonly players: number;
  readonly tickets: number;
}

export const PIECE_SIZES: PieceSizes = { wholeUpTo: 10_000, players: 3_000, tickets: 5_000 };

export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** A draw pays at most 2^53 (`readTableBound`), so balances stay below 2^63 even with other income meanwhile. */
const MOST_BEFORE = 2n ** 62n;

/** Same SQLSTATE as the wallet check. */
class SumTooLarge extends Error {
  readonly code = '22003';
}

/**
 * Computes totals, checks that every wallet can hold them, and moves stakes from escrow to table. {@link settlePiece}
 * then pays. Throws SQLSTATE 22003 on overflow.
 */
export async function beginSettling(tx: Tx, { clock, newId, events }: ClaimServices, draw: DrawRow): Promise<void> {
  const { network_id: networkId, id: drawId, game_id: gameId } = draw;
  const sums = await foreseeSums(tx, draw);
  const balance = await largestBalance(tx, networkId);
  const [most] = await tx.query<{ counted: bigint }>(
    sql`select coalesce((select max(greatest(stake, win)) from rollups
      where network_id = ${networkId} and game_id = ${gameId} and grain = 'day'
                        and account_id = any(array(select unnest(a.chain[1:2]) from accounts a
                          join networks n on n.admin_id = a.id where n.id = ${networkId}))), 0) as counted`.named(
      'settle-most',
    ),
  );
  if (balance > MOST_BEFORE || most!.counted > MOST_BEFORE)
    throw new SumTooLarge('A sum of this draw could exceed what the books can hold.');
  const [escrow, table]: [WalletName, WalletName] = [`escrow:${gameId}`, `table:${gameId}`];
  const returned = draw.source === 'declared' ? [] : (await coverReturn(tx, draw)).postings;
  const wallets = await lockWallets(tx, networkId, [escrow, table, ...returned.map(({ to }) => to)]);
  const at = endTime(draw, clock.now());
  const collect = { kind: 'collect', actorId: null, reference: drawId } as const;
  await move(tx, networkId, { at, newId, events }, wallets, [
    { from: escrow, to: table, amount: sums.stake, ...collect },
    ...returned,
  ]);
  await tx.query(
    sql`insert into draw_settlings (network_id, draw_id, began_at, players, stake, win, manual_claims)
      values (${networkId}, ${drawId}, ${at}, ${sums.players}, ${sums.stake}, ${sums.win}, ${draw.manual_claims})`,
  );
}

/**
 * Pays in account order; after the last player, pays levels above and counts the draw. Expects a locked draw.
 * Resumable: written rows mark progress, and unique keys prevent double payment. Returns the settlement time; null if
 * more remains.
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
  // Taken under locks: rises within each wallet's history, distinct per piece.
  const at = later(endTime(draw, services.clock.now()), next.last_paid_at);
  const sums = await settlePlayers(tx, draw, { ...range, at });
  await tx.query(
    sql`insert into settlement_pieces (network_id, draw_id, paid_at, players, paid)
      values (${networkId}, ${draw.id}, ${at}, ${sums.players}, ${sums.paid})`.named('settle-piece-record'),
  );
  const postings = sql`${winsOf(draw, players)} union all ${commissionsOf(draw, 'players', players)}`;
  await payOut(
    tx,
    networkId,
    { at, newId: services.newId },
    { from: table, postings, remainders: remaindersOf(draw, at) },
  );
  return null;
}

export const pieceEnd = (draw: Pick<DrawRow, 'network_id' | 'id'>, after: Sql, { players, tickets }: PieceSizes): Sql =>
  sql`(select account_id from (
    select distinct account_id from (
      select account_id from tickets where network_id = ${draw.network_id} and draw_id = ${draw.id}
        and account_id > ${after} order by account_id limit ${tickets}
    ) as next order by account_id limit ${players}
  ) as piece order by account_id desc limit 1)`;

async function nextPlayers(
  tx: Tx,
  draw: DrawRow,
  sizes: PieceSizes,
): Promise<{ after: string; upTo: string | null; last_paid_at: Date | null }> {
  const [next] = await tx.query<{ after: string; upTo: string | null; last_paid_at: Date | null }>(
    sql`with paid as materialized (
       select coalesce((select account_id from player_settlements
         where network_id = ${draw.network_id} and draw_id = ${draw.id} order by account_id desc
           limit 1), ${BEFORE_ALL}::uuid) as account_id
     )
     select paid.account_id as after,
            ${pieceEnd(draw, sql`paid.account_id`, sizes)} as "upTo",
            coalesce((select max(paid_at) from settlement_pieces where network_id = ${draw.network_id} and draw_id = ${draw.id}),
                     (select began_at from draw_settlings where network_id = ${draw.network_id} and draw_id = ${draw.id})) as last_paid_at
     from paid`.named('settle-next'),
  );
  return next!;
}

function later(at: Date, than: Date | null): Date {
  return than !== null && than >= at ? new Date(than.getTime() + 1) : at;
}

/** Counts the draw by its precomputed totals. */
async function endSettling(tx: Tx, services: ClaimServices, draw: DrawRow): Promise<Date> {
  await lockEarners(tx, draw, undefined, true);
  const [counted] = await tx.query<{
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
  if (!counted?.is_foreseen)
    throw new Error(`Draw ${draw.id} paid a different sum than computed. Check it with npm run audit.`);
  const paid = {
    from: `table:${draw.game_id}`,
    postings: commissionsOf(draw, 'above'),
    ...(draw.manual_claims && { alsoLocks: await unclaimedWallets(tx, services, draw) }),
  } as const;
  // Never earlier than any piece, despite clock differences.
  const clock = { now: () => new Date(Math.max(services.clock.now().getTime(), counted.last_paid_at.getTime())) };
  return payAndCount(tx, { ...services, clock }, draw, { sums: counted, paid });
}

/**
 * Winnings wallets of all winners, also for exclusions, and credit wallets of excluded winners, whose wins are claimed
 * at once. Bets need neither.
 */
async function unclaimedWallets(tx: Tx, { clock }: ClaimServices, draw: DrawRow): Promise<Sql> {
  const excluded = await listExcluded(tx, draw.network_id, clock.now());
  return sql`${winnersOf(draw, WALLET_KINDS.winnings)} union ${winnersOf(draw, WALLET_KINDS.credit)}
    and account_id = any(${excluded}::uuid[])`;
}
