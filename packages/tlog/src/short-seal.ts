/** A checkpoint as people read it. */
export interface ShortSeal {
  /** Which log. */
  readonly origin: string;
  /** How many records. */
  readonly size: number;
  /**
   * The root, whole, in base64 as it stands in the checkpoint: 44 characters. Whoever makes the trees could find two whose roots begin alike, of 96 bits
   * with some 2^48 tries, so that a part of it would not bind a server that means to show two.
   */
  readonly root: string;
}

const CHECKPOINT = /^(\S+)\n(\d{1,16})\n([A-Za-z0-9+/]{43}=)\n/;

/** A signed checkpoint as people read it; null where a text is none. Nothing of it is verified. */
export function shortSeal(note: string | undefined): ShortSeal | null {
  const [, origin, size, root] = CHECKPOINT.exec(note ?? '') ?? [];
  return root === undefined ? null : { origin: origin!, size: Number(size), root };
}
