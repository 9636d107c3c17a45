import type { BetTicket } from '@drawhouse/contract/reports/bet-list';

export interface SeriesOfResults {
  readonly series: string | null;
  readonly groups: readonly { readonly subseries: string | null; readonly numbers: readonly string[] }[];
}

/** Keeps the given order. Null for games without series. */
export function grouped(results: BetTicket['resultIds']): readonly SeriesOfResults[] {
  const bySeries = Map.groupBy(results, ({ series }) => series);
  return [...bySeries].map(([series, ofSeries]) => ({
    series,
    groups: [...Map.groupBy(ofSeries, ({ subseries }) => subseries)].map(([subseries, numbers]) => ({
      subseries,
      numbers: numbers.map(({ drawno }) => drawno),
    })),
  }));
}
