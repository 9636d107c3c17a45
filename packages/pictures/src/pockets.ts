import { area, circle, patch, text, type PictureOf } from './shapes.ts';

/** Distinguishes colors by shape: diamond, disc, star. */
export const SIGNS: { readonly red: string; readonly black: string; readonly green: string } = {
  red: 'M24 35.5l4.5 4.5-4.5 4.5-4.5-4.5Z',
  black: circle(24, 40, 4),
  green: 'M24 35.2l1.5 3.3 3.6.4-2.7 2.5.8 3.6-3.2-1.8-3.2 1.8.8-3.6-2.7-2.5 3.6-.4Z',
};

export const pictureOf: PictureOf = ({ drawno, color }) => {
  if (color !== 'red' && color !== 'black' && color !== 'green') return undefined;
  return [
    area('yellow', 'M3 5.5C16 .5 32 .5 45 5.5L40 46c-10-2.5-22-2.5-32 0Z'),
    patch(`wheel-${color}`, 'M6.5 8C18 4.5 30 4.5 41.5 8L37.5 42.5c-9-1.8-18-1.8-27 0Z'),
    text('paper', drawno, 24, 21, drawno.length > 1 ? 22 : 26),
    patch('paper', SIGNS[color]),
  ];
};
