import { outcomeDrawing } from '@drawhouse/pictures/outcome-drawing';
import classes from './OutcomePicture.module.css';

/** The uploaded picture, else the drawn one, else its number. */
export const OutcomePicture = outcomeDrawing(classes.picture!);
