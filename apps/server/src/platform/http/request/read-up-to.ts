/** Undefined if the body is longer; leaving the loop cancels a download. */
export async function readUpTo(
  mostBytes: number,
  body: AsyncIterable<Uint8Array> | null,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
