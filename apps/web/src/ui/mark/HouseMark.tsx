import { house } from '@drawhouse/session/house';
import mark from '../mark.svg';

/** Falls back to the product's mark. At most three times as wide as `size`. */
export function HouseMark({ size }: { size: number }) {
  const { url, width, height } = house.logo ?? { url: mark, width: 1, height: 1 };
  const shown = Math.min(size, (3 * size * height) / width);
  return <img src={url} alt="" width={(shown * width) / height} height={shown} />;
}
