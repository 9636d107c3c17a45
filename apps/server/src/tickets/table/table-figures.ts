import type { Panel } from '@drawhouse/contract/live/live';
import { percentOf, pointsOf } from '@drawhouse/contract/core/primitives';
import { boosterMean, highestBooster } from '@drawhouse/rules/fair/booster';
import { headsAboveStake, type GameRules } from '@drawhouse/rules/games/rules';
import { worstResult } from '@drawhouse/rules/games/worst-result';
import { tablesAreBelow } from '../../accounts/accounts.sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import type { PairRow } from '../../games/games.sql.ts';
import { balanceOf } from '../../ledger/wallets.ts';
import { commissionOn, readTable } from './table-bound.ts';
import { needOfTable, sumOf, type Stakes } from './table-need.ts';
import { sql } from '../../platform/db/sql/sql.ts';

interface Running {
  readonly draw: DrawRow | undefined;
  readonly rules: GameRules;
  readonly stakes: Stakes;
}

export async function readTableFigures(
  on: Queryable,
  pair: PairRow,
  { draw, rules, stakes }: Running,
): Promise<Panel['table']> {
  const [state, need, credit, [network]] = await Promise.all([
    readTable(on, pair, draw),
    needOfTable(on, pair, draw?.id),
    balanceOf(on, pair.network_id, `credit:${pair.admin_id}`),
    on.query<{ below: boolean }>(
      sql`select ${tablesAreBelow(sql`${pair.network_id}`)} as below`.named('tables-are-below'),
    ),
  ]);
  const cover = draw?.cover ?? 0n;
  const spare = state.balance - cover - need;
  return {
    backing: pointsOf(credit + cover + (spare > 0n ? spare : 0n)),
    commissionCeiling: percentOf(state.ceiling),
    lacking: draw?.draw_status === 'open' ? pointsOf(lackingFor(draw, { rules, stakes, ...state, spare })) : 0,
    opensNoDraw: network!.below,
  };
}

interface Backed {
  readonly rules: GameRules;
  readonly stakes: Stakes;
  readonly spare: bigint;
  readonly line: bigint;
  readonly ceiling: number;
}

/** Missing until one more unit is accepted on any bet. */
function lackingFor(
  { weights, unit_price: price }: Pick<DrawRow, 'weights' | 'unit_price'>,
  { rules, stakes, spare, line, ceiling }: Backed,
): bigint {
  const booster = highestBooster(weights);
  const above = headsAboveStake(rules, boosterMean(weights));
  const lacks = (open: Stakes, heads: GameRules['heads'], covered: bigint): bigint => {
    if (heads.length === 0) return 0n;
    const pay = BigInt(Math.max(...heads.map((head) => head.payHundredths)) * booster);
    const sum = sumOf(open) + price;
    const pays = (worstResult(rules, open, booster)?.pays ?? 0n) + (price * pay) / 100n;
    const missing = pays + commissionOn(sum, ceiling) - sum - covered;
    return missing > 0n ? missing : 0n;
  };
  const onAbove = new Map([...stakes].filter(([key]) => above.has(rules.betOf(key)!.head)));
  const all = lacks(stakes, rules.heads, spare + line);
  const alone = lacks(
    onAbove,
    rules.heads.filter(({ name }) => above.has(name)),
    spare,
  );
  return all > alone ? all : alone;
}
