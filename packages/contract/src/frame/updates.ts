import * as z from 'zod/mini';

/** 20 admins × 32 games, plus half as many again. */
export const MOST_UPDATES = 1000;
/** Assumes every field at its longest. */
export const UPDATES_BODY_BYTES: number = 160 * MOST_UPDATES + 1024;

export function updatesOf<S extends z.ZodMiniType>(update: S) {
  return z
    .array(update, { error: 'Updates must be a list of rows' })
    .check(
      z.minLength(1, { error: 'Change at least one row' }),
      z.maxLength(MOST_UPDATES, { error: `Change at most ${MOST_UPDATES} rows at once` }),
    );
}
