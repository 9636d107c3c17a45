import { outcomeDrawing, type Depicted } from '@drawhouse/pictures/outcome-drawing';
import classes from './OutcomePicture.module.css';
import { setOf } from '@drawhouse/pictures/picture-sets';

export const OutcomePicture = outcomeDrawing(classes.picture!);

export function pictureFor(
  { gameId, family }: Pick<Depicted, 'gameId' | 'family'>,
  { drawno, label, color, image }: Omit<Depicted, 'gameId' | 'family'>,
): Depicted | null {
  if (!image && setOf(gameId, family) === undefined) return null;
  return { gameId, family, drawno, label, color, image };
}
