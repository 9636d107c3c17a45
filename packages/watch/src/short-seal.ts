/** A checkpoint as people read it. */
export interface ShortSeal {
  /** Which log. */
  readonly origin: string;
  /** How many records. */
  readonly size: number;
  /** How the root begins, in base64 as it stands in the checkpoint: 96 bits, for which nobody finds a second tree. */
  readonly root: string;
}

const CHECKPOINT = /^(\S+)\n(\d{1,16})\n([A-Za-z0-9+/]{16})[A-Za-z0-9+/]{27}=\n/;

/** A signed checkpoint as people read it; null where a text is none. Nothing of it is verified. */
export function shortSeal(note: string | undefined): ShortSeal | null {
  const [, origin, size, root] = CHECKPOINT.exec(note ?? '') ?? [];
  return root === undefined ? null : { origin: origin!, size: Number(size), root };
}
