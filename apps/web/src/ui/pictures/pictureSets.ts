import type { Depicted } from '@drawhouse/pictures/outcome-drawing';
import { setOf } from '@drawhouse/pictures/picture-sets';

/** Null for plain numbers. */
export function pictureFor(
  { gameId, family }: Pick<Depicted, 'gameId' | 'family'>,
  { drawno, label, color, image }: Omit<Depicted, 'gameId' | 'family'>,
): Depicted | null {
  if (!image && setOf(gameId, family) === undefined) return null;
  return { gameId, family, drawno, label, color, image };
}
