const ENTRY_LENGTH_BYTES = 2;

export const MAX_ENTRY_BYTES = 65_535;

/**
 * Writes each entry after its length in two bytes, big-endian (C2SP tlog-tiles). Throws RangeError for long entries.
 */
export function formatBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, { length }) => sum + ENTRY_LENGTH_BYTES + length, 0));
  let at = 0;
  for (const entry of entries) {
    const { length } = entry;
    if (length > MAX_ENTRY_BYTES)
      throw new RangeError(`An entry has at most ${MAX_ENTRY_BYTES} bytes; this one has ${length}.`);
    bytes.set([length >> 8, length & 0xff], at);
    bytes.set(entry, at + ENTRY_LENGTH_BYTES);
    at += ENTRY_LENGTH_BYTES + length;
  }
  return bytes;
}

/** Returns views into the bytes. Throws RangeError if truncated. */
export function parseBundle(bytes: Uint8Array): Uint8Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + ENTRY_LENGTH_BYTES;
    const end = start <= bytes.length ? start + view.getUint16(at) : start;
    if (end > bytes.length)
      throw new RangeError(`The bundle of ${bytes.length} bytes ends within its entry ${entries.length}.`);
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  return entries;
}
