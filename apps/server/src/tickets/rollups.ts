import type { Tx } from '../db/database.ts';
import type { DrawRow } from '../draws/draws.sql.ts';

/** What a report sums, in hundredths; the four commissions by the level that earned them. */
export interface Sums {
  stake: bigint;
  win: bigint;
  super: bigint;
  dist: bigint;
  retail: bigint;
  user: bigint;
}

/** What one draw came to for one player. */
export interface PlayerSettlement {
  readonly accountId: string;
  /** The player and everyone above: for each of them the sums count. */
  readonly ancestors: readonly string[];
  readonly sums: Sums;
  readonly commissions: { accountId: string; amount: bigint }[];
  /** The last rows of the network's log and of the root's when the percentages were read: the changes up to them count. */
  readonly logSeq: bigint;
  readonly rootLogSeq: bigint;
}

/** The columns of {@link Sums} in the tables, in that order. */
const SUM_COLUMNS = 'stake, win, super_commission, dist_commission, retail_commission, user_commission';

const sumArrays = (rows: readonly Sums[]): bigint[][] =>
  (['stake', 'win', 'super', 'dist', 'retail', 'user'] as const).map((name) => rows.map((row) => row[name]));

/**
 * Writes what a draw came to: a settlement per player, and the rollups of the player and each ancestor, per quarter of an hour
 * and per day of the time zone. All count at the time of settlement.
 */
export async function writeRollups(
  tx: Tx,
  stamp: { at: Date; timeZone: string },
  draw: DrawRow,
  settlements: readonly PlayerSettlement[],
): Promise<void> {
  const { logSeq, rootLogSeq } = settlements[0]!;
  await tx.query(
    `insert into draw_settlements (network_id, draw_id, settled_at, log_seq, root_log_seq, manual_claims) values ($1, $2, $3, $4, $5, false)`,
    [draw.network_id, draw.id, stamp.at, logSeq, rootLogSeq],
    'settle-draw',
  );
  await tx.query(
    `insert into player_settlements (network_id, draw_id, account_id, ${SUM_COLUMNS})
     select $1, $2, *
     from unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])`,
    [
      draw.network_id,
      draw.id,
      settlements.map((row) => row.accountId),
      ...sumArrays(settlements.map((row) => row.sums)),
    ],
    'settle-insert',
  );

  const byAccount = new Map<string, Sums>();
  for (const { ancestors, sums } of settlements) {
    for (const id of ancestors) {
      const total = byAccount.get(id) ?? { stake: 0n, win: 0n, super: 0n, dist: 0n, retail: 0n, user: 0n };
      for (const name of Object.keys(total) as (keyof Sums)[]) total[name] += sums[name];
      byAccount.set(id, total);
    }
  }
  // Always in id order, so that two draws settled at once never wait for each other in a ring.
  const rows = [...byAccount].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.query(
    `insert into rollups (network_id, game_id, grain, starts_at, account_id, ${SUM_COLUMNS})
     select $1, $2, grain, starts_at, sums.*
     from (values ('day', date_trunc('day', $3::timestamptz, $4)),
                  ('quarter', date_bin('15 minutes', $3::timestamptz, timestamptz 'epoch'))) as period (grain, starts_at),
          unnest($5::uuid[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) as sums
     order by grain, 5
     on conflict (network_id, account_id, grain, starts_at, game_id) do update set
       stake = rollups.stake + excluded.stake, win = rollups.win + excluded.win,
       super_commission = rollups.super_commission + excluded.super_commission,
       dist_commission = rollups.dist_commission + excluded.dist_commission,
       retail_commission = rollups.retail_commission + excluded.retail_commission,
       user_commission = rollups.user_commission + excluded.user_commission`,
    [
      draw.network_id,
      draw.game_id,
      stamp.at,
      stamp.timeZone,
      rows.map(([id]) => id),
      ...sumArrays(rows.map(([, sums]) => sums)),
    ],
    'settle-rollups',
  );
}
