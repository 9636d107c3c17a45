import { commonTexts } from '../commonTexts.ts';
import classes from './Footer.module.css';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The foot of every page: the product, and the zone in which times are shown. */
export function Footer() {
  return (
    <footer className={classes.footer}>
      <span>{commonTexts.product}</span>
      <span>Times in {timeZone}</span>
    </footer>
  );
}
