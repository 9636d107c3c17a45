import { outcomeDrawing } from '@drawhouse/pictures/outcome-drawing';
import styles from './PictureOfOutcome.module.css';

/** Uploaded image, else drawing, else number mark. */
export const PictureOfOutcome = outcomeDrawing(styles.picture!);
