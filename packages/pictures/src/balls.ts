import { area, circle, mirrored, patch, rod, text, type Picture, type PictureOf } from './shapes.ts';

const SHADE = 'M33.5 30a15.5 15.5 0 0 1-28 3.5c7.5 6 20.5 4.5 28-3.5Z';

const bat = (paint: 'red' | 'blue'): Picture => [...rod('brown', 'M36 36l8 8', 5), area(paint, circle(27, 23, 19))];

function number(drawno: string, x: number): Picture {
  return [text('ink', drawno, x, 25.5, drawno.length > 1 ? 18 : 22)];
}

export const pingPong1: PictureOf = ({ drawno }) => [
  ...bat('red'),
  area('paper', circle(19, 26, 17)),
  patch('grey', SHADE),
  ...number(drawno, 19),
];

export const pingPong2: PictureOf = ({ drawno }) => [
  ...[...bat('blue'), area('orange', circle(19, 26, 17)), patch('brown', SHADE)].map(mirrored),
  ...number(drawno, 29),
];
