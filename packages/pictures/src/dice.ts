import { area, circle, patch, PLATE, type PictureOf } from './shapes.ts';

/** Rows of pips; from ten, rows of four. */
const ROWS: readonly (readonly string[])[] = [
  ['', 'm', ''],
  ['l', '', 'r'],
  ['l', 'm', 'r'],
  ['lr', '', 'lr'],
  ['lr', 'm', 'lr'],
  ['lr', 'lr', 'lr'],
  ['lr', 'lmr', 'lr'],
  ['lmr', 'lr', 'lmr'],
  ['lmr', 'lmr', 'lmr'],
  ['abc', 'wxyz', 'abc'],
  ['wxyz', 'abc', 'wxyz'],
  ['wxyz', 'wxyz', 'wxyz'],
];
const PLACES: Readonly<Record<string, number>> = {
  l: 13,
  m: 24,
  r: 35,
  w: 10,
  x: 19.3,
  y: 28.7,
  z: 38,
  a: 14.6,
  b: 24,
  c: 33.4,
};

export const pictureOf: PictureOf = ({ drawno }) => {
  const number = Number(drawno);
  const rows = ROWS[number - 1];
  if (!rows) return undefined;
  const radius = number === 1 ? 6 : number < 10 ? 4.1 : 3.6;
  const pips = rows.flatMap((row, index) => [...row].map((name) => circle(PLACES[name]!, 13 + 11 * index, radius)));
  return [area('paper', PLATE), patch(number === 1 ? 'red' : 'ink', pips.join(''))];
};
