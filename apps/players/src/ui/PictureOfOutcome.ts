import { outcomeDrawing } from '@drawhouse/pictures/outcome-drawing';
import styles from './PictureOfOutcome.module.css';

/** The picture of an outcome: the uploaded one, else the drawn one, else the mark of its number. */
export const PictureOfOutcome = outcomeDrawing(styles.picture!);
