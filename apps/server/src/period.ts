/** The instants from `from` up to, not including, `until`. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** The period of a query, whose `endDate` is the last instant that counts, to the millisecond. */
export function periodBetween({ startDate, endDate }: { startDate: string; endDate: string }): Period {
  return { from: new Date(startDate), until: new Date(Date.parse(endDate) + 1) };
}

/** The periods between instants that follow each other. */
export function periodsBetween(ends: readonly Date[]): Period[] {
  return ends.slice(1).map((until, index) => ({ from: ends[index]!, until }));
}
