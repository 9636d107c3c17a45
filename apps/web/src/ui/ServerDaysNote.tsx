import { foreignDays } from '../lib/foreignDays.ts';
import classes from './ServerDaysNote.module.css';

/** Says whose days a page counts by, if they are not those of this device. */
export function ServerDaysNote() {
  const zone = foreignDays();
  return zone !== null && <span className={classes.zone}>Days in {zone.replaceAll('_', ' ')}</span>;
}
