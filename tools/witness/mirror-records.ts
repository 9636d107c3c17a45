import type { MirrorReader } from './mirror-log.ts';

/** Recomputes what the product's rules make of the records. */
export function mirrorRecords(): MirrorReader {
  return { read: () => {}, judge: () => [] };
}
