import { ownTimeZone } from '../lib/format.ts';
import { commonTexts } from '../commonTexts.ts';
import { ServerDaysNote } from '../ui/ServerDaysNote.tsx';
import classes from './Footer.module.css';

/** The foot of every page: the product, and the zones in which times are shown and days are counted. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <span>{commonTexts.product}</span>
      <span>Times in {ownTimeZone().replaceAll('_', ' ')}</span>
      <ServerDaysNote />
    </footer>
  );
}
