import { outcomeDrawing } from '@drawhouse/pictures/outcome-drawing';
import classes from './OutcomePicture.module.css';

/** The picture of an outcome: the uploaded one, else the drawn one, else the mark of its number. */
export const OutcomePicture = outcomeDrawing(classes.picture!);
