/** A row as the driver gives it: bigint for int8, Date for timestamptz, Buffer for bytea, parsed JSON for jsonb. */
export type Row = Record<string, unknown>;

declare const vouched: unique symbol;
/** What only code vouches for, by a function of its own. The database gives nothing of the kind: {@link Readable}. */
export interface Vouched {
  readonly [vouched]: true;
}

/** What rows can be read as: nothing in them says more than that it was read. */
export type Readable<R> = { [K in keyof R]: [Extract<R[K], Vouched>] extends [never] ? R[K] : never };
