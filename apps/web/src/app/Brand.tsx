import { commonTexts } from '../commonTexts.ts';
import mark from '../ui/mark.svg';
import classes from './Brand.module.css';

export function Brand() {
  return (
    <span className={classes.brand}>
      <img src={mark} alt="" width={24} height={24} />
      {commonTexts.product}
    </span>
  );
}
