import { messages } from '../messages.ts';
import classes from './Brand.module.css';

/** The product's mark and name. */
export function Brand() {
  return (
    <span className={classes.brand}>
      <img src="/mark.svg" alt="" width={24} height={24} />
      {messages.product}
    </span>
  );
}
