import { outcomeDrawing, type Depicted } from '@drawhouse/pictures/outcome-drawing';
import classes from './OutcomePicture.module.css';
import { setOf } from '@drawhouse/pictures/picture-sets';

/** Uploaded, else drawn, else its number. */
export const OutcomePicture = outcomeDrawing(classes.picture!);

/** Null for plain numbers. */
export function pictureFor(
  { gameId, family }: Pick<Depicted, 'gameId' | 'family'>,
  { drawno, label, color, image }: Omit<Depicted, 'gameId' | 'family'>,
): Depicted | null {
  if (!image && setOf(gameId, family) === undefined) return null;
  return { gameId, family, drawno, label, color, image };
}
