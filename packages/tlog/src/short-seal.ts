export interface ShortSeal {
  readonly origin: string;
  readonly size: number;
  /**
   * Complete, 44 characters of base64: two trees with equal 96-bit prefixes would cost a malicious server only about
   * 2^48 tries.
   */
  readonly root: string;
}

const CHECKPOINT = /^(\S+)\n(\d{1,16})\n([A-Za-z0-9+/]{43}=)\n/;

/** Null if not a checkpoint. Verifies no signature. */
export function shortSeal(note: string | undefined): ShortSeal | null {
  const [, origin, size, root] = CHECKPOINT.exec(note ?? '') ?? [];
  return root === undefined ? null : { origin: origin!, size: Number(size), root };
}
