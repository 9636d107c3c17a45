/**
 * SQL for the leaves of a tree of hashes (RFC 6962) over the `digest` of rows in the order of their `index`, one after the other. PostgreSQL hashes
 * where the digests are, at half a microsecond each: what would hold up the event loop of the server for seconds.
 */
export const LEAVES = String.raw`string_agg(sha256('\x00'::bytea || digest), '' order by index)`;

/** SQL for the level above `width` nodes in `hashes`, one after the other: a node over each two, and the last one as it is where it is left over. */
export const LEVEL_ABOVE = String.raw`(select string_agg(sha256('\x01'::bytea || substr(hashes, 64 * i + 1, 64)), '' order by i)
  from generate_series(0, width / 2 - 1) as i) || substr(hashes, 64 * (width / 2) + 1)`;
