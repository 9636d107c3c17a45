import * as z from 'zod/mini';

/** The most rows that one call sets: those of 20 admins with 32 games each, and half as many again. */
export const MOST_UPDATES = 1000;
/** The body of so many updates, each with all of its fields at their longest. */
export const UPDATES_BODY_BYTES: number = 160 * MOST_UPDATES + 1024;

/** A list of updates of one call, each of which names its row. */
export function updatesOf<S extends z.ZodMiniType>(update: S) {
  return z
    .array(update, { error: 'Updates is a list of rows' })
    .check(
      z.minLength(1, { error: 'Change at least one row' }),
      z.maxLength(MOST_UPDATES, { error: `Change at most ${MOST_UPDATES} rows at once` }),
    );
}
