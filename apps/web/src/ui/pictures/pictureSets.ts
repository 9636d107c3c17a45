import type { Depicted } from '@drawhouse/pictures/outcome-drawing';
import { setOf } from '@drawhouse/pictures/picture-sets';

/** What `OutcomePicture` shows of an outcome; null where it is a plain number, which a picture says no better. */
export function pictureFor(
  { gameId, family }: Pick<Depicted, 'gameId' | 'family'>,
  { drawno, label, color, image }: Omit<Depicted, 'gameId' | 'family'>,
): Depicted | null {
  if (!image && setOf(gameId, family) === undefined) return null;
  return { gameId, family, drawno, label, color, image };
}
