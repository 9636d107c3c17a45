import { outcomeDrawing } from '@drawhouse/pictures/outcome-drawing';
import styles from './PictureOfOutcome.module.css';

export const PictureOfOutcome = outcomeDrawing(styles.picture!);
