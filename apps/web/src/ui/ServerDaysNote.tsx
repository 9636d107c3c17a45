import { foreignDays } from '../lib/foreignDays.ts';
import classes from './ServerDaysNote.module.css';

/** Names the server's time zone if its days differ from this device's. */
export function ServerDaysNote() {
  const zone = foreignDays();
  return zone !== null && <span className={classes.zone}>Days in {zone.replaceAll('_', ' ')}</span>;
}
