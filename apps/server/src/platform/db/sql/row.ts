/** int8 as bigint, timestamptz as Date, bytea as Buffer, jsonb parsed. */
export type Row = Record<string, unknown>;

declare const vouched: unique symbol;
/** Types created only by checked code. Never read from the database: {@link Readable}. */
export interface Vouched {
  readonly [vouched]: true;
}

export type Readable<R> = { [K in keyof R]: [Extract<R[K], Vouched>] extends [never] ? R[K] : never };
