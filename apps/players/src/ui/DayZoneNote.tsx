import { foreignDayZone } from '../lib/dayZone.ts';
import { serverNow } from '../lib/serverTime.ts';
import styles from './DayZoneNote.module.css';

export function DayZoneNote() {
  const zone = foreignDayZone(serverNow());
  return zone !== null && <p className={styles.zone}>Days in {zone.replaceAll('_', ' ')}</p>;
}
