/**
 * SQL for Merkle leaves (RFC 6962) of `digest` ordered by `index`. Hashing in PostgreSQL takes half a microsecond each;
 * in Node it would block the event loop for seconds.
 */
export const LEAVES = String.raw`string_agg(sha256('\x00'::bytea || digest), '' order by index)`;

/** SQL for the next tree level: one node per pair; an odd last node moves up unchanged. */
export const LEVEL_ABOVE = String.raw`(select string_agg(sha256('\x01'::bytea || substr(hashes, 64 * i + 1, 64)), '' order by i)
  from generate_series(0, width / 2 - 1) as i) || substr(hashes, 64 * (width / 2) + 1)`;
