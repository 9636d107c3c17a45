import { PAY_SCALE } from '@drawhouse/rules/game-rules';
import { commissionHundredths } from '@drawhouse/rules/wins';
import { ROOT_NETWORK } from '../activity/append-activity.ts';
import type { Tx } from '../db/database.ts';
import type { Services } from '../db/services.ts';
import { endOf } from '../draws/draws.sql.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { rulesOf } from '../games/games.sql.ts';
import { lockWallets, move } from '../ledger/post.ts';
import type { Posting } from '../ledger/post.ts';
import type { WalletName } from '../ledger/wallets.ts';
import { addToReturns } from './return-sums.ts';
import { writeRollups } from './rollups.ts';
import type { PlayerSettlement } from './rollups.ts';
import { LINES } from './ticket-lines.ts';

/** The levels that earn a commission on a stake, each its own percentage, with the column of the reports. */
const EARNERS = { superdistributor: 'super', distributor: 'dist', retailer: 'retail', user: 'user' } as const;

interface PlayerSum {
  account_id: string;
  stake: bigint;
  win: bigint;
  /** The chain from the superadmin down, with role and percentage (hundredths of a percent). */
  chain: { id: string; role: string; commission: number }[];
  /** How far the network's log and the root's had come when the percentages were read. */
  log_seq: bigint;
  root_log_seq: bigint;
}

/**
 * Settles the tickets of a draw whose result is known, in the caller's transaction: writes what each ticket won, moves the
 * escrow to the table, the wins from there to the players and the commissions to the commission wallets, and writes the
 * settlements and rollups that the reports read, and what the draw was expected to pay. Wins are floored to the hundredth per line, commissions per player and draw.
 * Gives when it was settled: a time at which it held the draw and all of its wallets.
 */
export async function settleTickets(
  tx: Tx,
  { clock, newId, timeZone }: Pick<Services, 'clock' | 'newId' | 'timeZone'>,
  draw: DrawRow,
): Promise<Date> {
  const winners = await markWins(tx, draw);
  const players = await sumPlayers(tx, draw);
  if (players.length === 0) return endOf(draw, clock.now());

  const networkId = draw.network_id;
  const escrow: WalletName = `escrow:${draw.game_id}`;
  const table: WalletName = `table:${draw.game_id}`;
  const posting = (
    from: WalletName,
    to: WalletName,
    amount: bigint,
    kind: Posting['kind'],
    reference: string,
  ): Posting => ({
    from,
    to,
    amount,
    kind,
    actorId: null,
    reference,
  });
  const settlements = players.map(toSettlement);
  const earned = new Map<string, bigint>();
  for (const { commissions } of settlements)
    for (const { accountId, amount } of commissions) earned.set(accountId, (earned.get(accountId) ?? 0n) + amount);

  const staked = players.reduce((sum, player) => sum + player.stake, 0n);
  const postings = [
    posting(escrow, table, staked, 'collect', draw.id),
    ...winners.map(({ id, account_id, win }) => posting(table, `credit:${account_id}`, win, 'win', id)),
    ...[...earned]
      .filter(([, amount]) => amount > 0n)
      .map(([ownerId, amount]) => posting(table, `commission:${ownerId}`, amount, 'commission', draw.id)),
  ];
  const wallets = await lockWallets(
    tx,
    networkId,
    postings.flatMap(({ from, to }) => [from, to]),
  );
  const at = endOf(draw, clock.now());
  await move(tx, networkId, { at, newId }, wallets, postings);
  await writeRollups(tx, { at, timeZone }, draw, settlements);
  await addToReturns(tx, { at, timeZone }, draw, {
    stake: staked,
    win: players.reduce((sum, player) => sum + player.win, 0n),
  });
  return at;
}

/** Writes what each ticket has won and gives those that won something. */
async function markWins(tx: Tx, draw: DrawRow): Promise<{ id: string; account_id: string; win: bigint }[]> {
  const winning = rulesOf(draw).winningBets(draw.result!);
  return tx.query(
    `with winning as (select * from unnest($3::text[], $4::bigint[]) as w (key, pay)),
     won as (
       select t.id, t.account_id, sum(l.qty * $7::bigint * w.pay * $5::bigint / $6::bigint)::bigint as win
       from tickets t cross join ${LINES} join winning w using (key)
       where t.network_id = $1 and t.draw_id = $2 group by t.network_id, t.id
     ), written as (
       insert into ticket_wins (network_id, draw_id, ticket_id, win) select $1, $2, id, win from won where win > 0
     )
     select id, account_id, win from won where win > 0 order by id`,
    [
      draw.network_id,
      draw.id,
      winning.map((bet) => bet.key),
      winning.map((bet) => bet.payHundredths),
      draw.booster,
      PAY_SCALE,
      draw.unit_price,
    ],
    'settle-wins',
  );
}

/**
 * What each player staked and won in the draw, with the accounts that earn on it. Percentages and logs are read by one statement, so
 * that the logs tell exactly those percentages.
 */
async function sumPlayers(tx: Tx, draw: DrawRow): Promise<PlayerSum[]> {
  return tx.query<PlayerSum>(
    `select p.account_id, p.stake, p.win,
            (select json_agg(json_build_object('id', up.id, 'role', up.role, 'commission', up.commission))
             from accounts a join accounts up on up.id = any(a.chain) where a.id = p.account_id) as chain,
            coalesce((select seq from activity_heads where network_id = $1), 0) as log_seq,
            coalesce((select seq from activity_heads where network_id = $3), 0) as root_log_seq
     from (select t.account_id, sum(t.stake)::bigint as stake, coalesce(sum(w.win), 0)::bigint as win
           from tickets t left join ticket_wins w on w.network_id = t.network_id and w.draw_id = t.draw_id and w.ticket_id = t.id
           where t.network_id = $1 and t.draw_id = $2 group by t.account_id) as p
     order by p.account_id`,
    [draw.network_id, draw.id, ROOT_NETWORK],
    'settle-players',
  );
}

function toSettlement({ account_id, stake, win, chain, log_seq, root_log_seq }: PlayerSum): PlayerSettlement {
  const settlement: PlayerSettlement = {
    accountId: account_id,
    ancestors: chain.map((link) => link.id),
    sums: { stake, win, super: 0n, dist: 0n, retail: 0n, user: 0n },
    commissions: [],
    logSeq: log_seq,
    rootLogSeq: root_log_seq,
  };
  for (const { id, role, commission } of chain) {
    const column = EARNERS[role as keyof typeof EARNERS];
    if (!column) continue;
    const amount = commissionHundredths(stake, commission);
    settlement.sums[column] = amount;
    settlement.commissions.push({ accountId: id, amount });
  }
  return settlement;
}
