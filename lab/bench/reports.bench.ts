import { parseArgs } from 'node:util';
import { machine } from './fixtures/bench-database.ts';
import { benchMonth, FULL } from './reports/month.ts';
import { benchRollupCost } from './reports/rollup-cost.ts';
import type { ReportsScale } from './reports/month.ts';

const PARTS: Record<string, { readonly label: string; readonly run: (scale: ReportsScale) => Promise<void> }> = {
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
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: Object.fromEntries(Object.keys(FULL).map((name) => [name, { type: 'string' as const }])),
  });
  const scale = Object.fromEntries(
    Object.entries(FULL).map(([name, usual]: [string, number]) => [name, wholeOf(name, values[name], usual)]),
  ) as unknown as ReportsScale;
  const [name] = positionals;
  const parts = name === undefined ? Object.values(PARTS) : [PARTS[name]];
  if (parts[0] === undefined) {
    const list = Object.entries(PARTS).map(([part, { label }]) => `  ${part.padEnd(8)}${label}`);
    throw new Error(`Usage: npm run lab -- bench reports [part] -- [--tickets 100000] …\n${list.join('\n')}`);
  }
  console.log(machine());
  for (const part of parts) {
    console.log(`\n## ${part!.label}\n`);
    await part!.run(scale);
  }
}

function wholeOf(name: string, text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text);
  if (!Number.isInteger(value) || value <= 0) throw new Error(`--${name} is a whole number above 0; not "${text}".`);
  return value;
}
