import { readOptions, runParts } from './measure/bench-options.ts';
import type { BenchPart } from './measure/bench-options.ts';
import { benchMonth, FULL } from './reports/month.ts';
import { benchRollupCost } from './reports/rollup-cost.ts';
import type { ReportsScale } from './reports/month.ts';

const PARTS: Record<string, BenchPart<ReportsScale>> = {
  month: {
    label: 'a month of tickets: turnover compared with tickets, pages, an export',
    run: benchMonth,
  },
  cost: { label: 'cost of rollups for bets and settlement', run: benchRollupCost },
};

/**
 * `npm run lab -- bench reports [part] -- [--tickets N] [--players N] [--days N] [--rounds N] [--exported N]`: measures
 * reports on a month of tickets.
 */
export async function benchReports(args: readonly string[]): Promise<void> {
  const { scale, part } = readOptions(args, FULL);
  await runParts(PARTS, part, (run) => run(scale));
}
