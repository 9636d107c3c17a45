/** Half-open: `until` is exclusive. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** `endDate` is inclusive, to the millisecond. */
export function periodBetween({ startDate, endDate }: { startDate: string; endDate: string }): Period {
  return { from: new Date(startDate), until: new Date(Date.parse(endDate) + 1) };
}

export function periodsBetween(ends: readonly Date[]): Period[] {
  return ends.slice(1).map((until, index) => ({ from: ends[index]!, until }));
}
