import { house } from '@drawhouse/session/house';
import mark from '../mark.svg';

/** Logo of the house, else the product's mark. */
export function HouseMark({ size }: { size: number }) {
  const { logo } = house;
  // A wide logo is at most three times as wide as high.
  const width = logo ? Math.min(Math.round((logo.width / logo.height) * size), 3 * size) : size;
  return (
    <img
      src={logo ? logo.url : mark}
      alt=""
      width={width}
      height={size}
      style={{ objectFit: 'contain', flex: 'none' }}
    />
  );
}
