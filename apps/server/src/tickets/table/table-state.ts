import { commissionCeiling, tableLine } from '../../accounts/table-line.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { tableBalance } from '../../ledger/wallets.ts';
import { sqlFromText, sql } from '../../platform/db/sql/sql.ts';

/** Balance and line in hundredths; ceiling in hundredths of a percent. */
export interface TableState {
  readonly balance: bigint;
  readonly line: bigint;
  readonly ceiling: number;
}

/**
 * Uses the larger of opening and current ceiling: draws pay opening rates, newer accounts their first rate.
 * `checkCommissions` enforces both.
 */
export async function readTable(
  on: Queryable,
  { network_id, game_id }: Pick<DrawRow, 'network_id' | 'game_id'>,
  draw: Pick<DrawRow, 'commission_ceiling'> | undefined,
): Promise<TableState> {
  const [row] = await on.query<TableState>(
    sql`select ${sqlFromText(tableBalance('$1', '$2'), network_id, game_id)} as balance, ${sqlFromText(tableLine('$1'), network_id)} as line,
            greatest(${sqlFromText(commissionCeiling('$1'), network_id)}, ${draw?.commission_ceiling ?? 0}::int) as ceiling`.named(
      'table-state',
    ),
  );
  return row!;
}

/** Upper bound by ceiling, in hundredths. Excludes remainders of earlier draws (below a hundredth per account). */
export function commissionOn(stakes: bigint, ceiling: number): bigint {
  return (stakes * BigInt(ceiling) + 9_999n) / 10_000n;
}
