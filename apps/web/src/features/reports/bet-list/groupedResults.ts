import type { BetTicket } from '@drawhouse/contract/reports/bet-list';

/** The numbers of one series, by sub-series. */
export interface SeriesOfResults {
  readonly series: string | null;
  readonly groups: readonly { readonly subseries: string | null; readonly numbers: readonly string[] }[];
}

/** The numbers of a result by series, then sub-series, in the order in which they come; null where a game has none of these. */
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
