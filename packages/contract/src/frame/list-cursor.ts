import * as z from 'zod/mini';

/**
 * The cursor of a row in a keyset list by time and key (`time` of its source), as the answer gives it in `older` or `newer`: microseconds
 * of Unix time and the key.
 */
export const timedCursor = z
  .string()
  .check(
    z.regex(/^(0|\d{1,17}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/, { error: 'Give what the last page answered' }),
  );
