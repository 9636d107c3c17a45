import type { Tx } from '../../platform/db/database.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/**
 * Records unclaimed wins of a settled draw per day and time zone. Call with the players' wallets locked; every writer
 * locks wallets first.
 */
export async function addUnclaimed(
  tx: Tx,
  { at, timeZone }: { at: Date; timeZone: string },
  draw: Pick<DrawRow, 'network_id' | 'id'>,
): Promise<void> {
  await tx.query(
    sql`insert into claim_sums (network_id, account_id, starts_at, held)
     select network_id, account_id, day_start(${at}::timestamptz, ${timeZone}), win
     from player_settlements where network_id = ${draw.network_id} and draw_id = ${draw.id} and win > 0 order by account_id
     on conflict (network_id, account_id, starts_at) do update set held = claim_sums.held + excluded.held`.named(
      'claims-held',
    ),
  );
}

/** Records a claimed amount, in hundredths. Call with the wallets locked. */
export async function addClaimed(
  tx: Tx,
  { at, timeZone }: { at: Date; timeZone: string },
  player: { id: string; networkId: number },
  amount: bigint,
): Promise<void> {
  await tx.query(
    sql`insert into claim_sums (network_id, account_id, starts_at, claimed) values (${player.networkId}, ${player.id}, day_start(${at}::timestamptz, ${timeZone}), ${amount})
     on conflict (network_id, account_id, starts_at) do update set claimed = claim_sums.claimed + excluded.claimed`.named(
      'claims-claimed',
    ),
  );
}
