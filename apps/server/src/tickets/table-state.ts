import { commissionCeiling, tableLine } from '../accounts/table-line.ts';
import type { Queryable } from '../db/database.ts';
import type { DrawRow } from '../draws/draws.sql.ts';
import { tableBalance } from '../ledger/wallets.ts';
import { pieceOf, sql } from '../db/sql.ts';

/** A table: its balance, and how far it may fall below zero, in hundredths; what bounds the commissions on its running draw, in hundredths of a percent. */
export interface TableState {
  readonly balance: bigint;
  readonly line: bigint;
  readonly ceiling: number;
}

/**
 * Reads a table as it is now. A draw pays the rates of its opening, and accounts that were made later their first ones, so the larger of the ceilings of
 * then and now bounds it, which `checkCommissions` sees to.
 */
export async function readTable(
  on: Queryable,
  { network_id, game_id }: Pick<DrawRow, 'network_id' | 'game_id'>,
  draw: Pick<DrawRow, 'commission_ceiling'> | undefined,
): Promise<TableState> {
  const [row] = await on.query<TableState>(
    sql`select ${pieceOf(tableBalance('$1', '$2'), network_id, game_id)} as balance, ${pieceOf(tableLine('$1'), network_id)} as line,
            greatest(${pieceOf(commissionCeiling('$1'), network_id)}, ${draw?.commission_ceiling ?? 0}::int) as ceiling`.named(
      'table-state',
    ),
  );
  return row!;
}

/**
 * The most that stakes earn the chains of a network, in hundredths, by its ceiling. Remainders of earlier draws, less than a hundredth per account,
 * are not in it.
 */
export function commissionOn(stakes: bigint, ceiling: number): bigint {
  return (stakes * BigInt(ceiling) + 9_999n) / 10_000n;
}
