import {
  area,
  around,
  both,
  circle,
  ellipse,
  line,
  patch,
  rod,
  type Paint,
  type Picture,
  type PictureOf,
  type Shape,
} from './shapes.ts';

type Place = readonly [x: number, y: number];

const BUNCH: readonly Place[] = [
  [10, 16],
  [19.5, 16],
  [29, 16],
  [38.5, 16],
  [14.7, 24.5],
  [24.2, 24.5],
  [33.7, 24.5],
  [19.5, 33],
  [29, 33],
  [24.2, 41],
];

const dots = (fill: Paint, radius: number, ...places: readonly Place[]): Shape[] =>
  places.map(([x, y]) => patch(fill, circle(x, y, radius)));
const seeds = (fill: Paint, ...places: readonly Place[]): Shape[] =>
  places.map(([x, y]) => patch(fill, ellipse(x, y, 1.3, 1.9)));

const FRUIT: Readonly<Record<string, Picture>> = {
  Apple: [
    area(
      'red',
      'M24 15c3-3 8-4 12.5-2 6.5 3 8.5 10 6.5 18-2 8.5-7 15-12.5 15-3 0-4.5-1-6.5-1s-3.5 1-6.5 1C12 46 7 39.5 5 ' +
        '31c-2-8 0-15 6.5-18 4.5-2 9.5-1 12.5 2Z',
    ),
    line('paper', 'M10.5 25c-.3-3 1-6 4-7', 2.5),
    ...rod('brown', 'M24 15.5C23.5 10 24 7 25.5 4', 2),
    area('green', 'M26 10.5C27 4 33 1.5 40 2.5c-1 7-7 10-14 8Z'),
  ],
  Banana: [
    area('yellow', 'M7 5l5-1.5C13 17 19 28 31 31c5 1 9 .5 13-1.5l2 4.5C42 42 33 45.5 24 43.5 9 40 2 24 7 5Z'),
    line('ink', 'M9.5 13c1 11 8 22 20 25 5 1.2 8.5.8 12-.5'),
    area('brown', 'M6.5 6.5L7 2.5l5-1 .2 4Z'),
    area('brown', 'M42.5 30l2.5-1.5 2 4-2 2.5Z'),
  ],
  Cherry: [
    ...rod('green', 'M14 29C16 18 23 9 34 5M34 27C36 18 36 11 34 5', 2),
    area('green', 'M34 5C27 0 17 1 12 8c8 4 17 3 22-3Z'),
    area('red', circle(13, 35, 10.5)),
    area('red', circle(35, 34, 10.5)),
    line('paper', 'M6.8 34c0-3 1.5-5 4-5.8M28.8 33c0-3 1.5-5 4-5.8', 2.5),
  ],
  Grapes: [
    ...rod('brown', 'M24 12c0-4 1-7 4-9', 2),
    area('green', 'M25 10C29 3 36 2 42 5c-2 7-9 10-17 5Z'),
    ...BUNCH.map(([x, y]) => area('purple', circle(x, y, 5.8))),
    ...BUNCH.map(([x, y]) => patch('pink', circle(x - 1.5, y - 1.5, 1.3))),
  ],
  Guava: [
    area('green', 'M26 9C28 2 35 .5 41 2.5 40 9 33 12 26 9Z'),
    area('green', 'M24 8c12 0 20 8 20 19.5S35.5 46 24 46 4 39 4 27.5 12 8 24 8Z'),
    area('paper', circle(24, 27.5, 15.5)),
    patch('pink', circle(24, 27.5, 13)),
    ...around(patch('yellow', ellipse(24, 19, 1.5, 2)), 9, 27.5),
    ...seeds('yellow', [24, 27.5], [20, 25.5], [28, 25.5], [21.5, 31], [26.5, 31]),
  ],
  Lemon: [
    area('green', 'M25 12C25 5 31 1.5 39 2.5c0 7-6 11-14 9.5Z'),
    area(
      'yellow',
      'M1.5 28c3-1 5-3.5 7-6.5C12.5 15 18 11.5 24 11.5S35.5 15 39.5 21.5c2 3 4 5.5 7 6.5-3 1-5 3.5-7 6.5C35.5 41 30 ' +
        '44.5 24 44.5S12.5 41 8.5 34.5c-2-3-4-5.5-7-6.5Z',
    ),
    line('paper', 'M12.5 24c2-4 5-6.5 9-7', 2.5),
    ...dots('orange', 1, [30, 35], [34, 30], [27, 39]),
  ],
  Mango: [
    ...rod('brown', 'M33 10c0-3 .5-5 2-7', 2),
    area('green', 'M33 8C27 1 18 1 12 6c6 6 14 7 21 2Z'),
    area('yellow', 'M32 9c9 1 14 9 12 19-2 11-12 18-23 17C10 44 3 37 4 29.5c1-6.5 7-8 12-12C21 13.5 24 8 32 9Z'),
    patch('orange', 'M43 17c2.5 12-4 23-16 26.5-9 2-17-1-21-7 7 4 17 3 24-2 7-4.8 11-10.5 13-17.5Z'),
    line('paper', 'M24 17c2.5-2.7 5-3.5 8-3', 2.5),
  ],
  Orange: [
    area('orange', circle(24, 24, 21.5)),
    patch('paper', circle(24, 24, 17.5)),
    ...around(patch('orange', 'M24 22.5L18.3 9.2c3.5-1.7 7.9-1.7 11.4 0Z'), 8),
  ],
  Papaya: [
    area(
      'green',
      'M24 1.5c5 0 7 5 9 11 3 7 7.5 11 7.5 18.5C40.5 40 33 46.5 24 46.5S7.5 40 7.5 31c0-7.5 4.5-11.5 7.5-18.5 2-6 4-11 9-11Z',
    ),
    patch(
      'orange',
      'M24 4.5c3.5 0 5 4.5 6.8 9.5 2.7 7 6.7 10.5 6.7 17C37.5 38.5 31.5 43.5 24 43.5S10.5 38.5 10.5 31c0-6.5 4-10 ' +
        '6.7-17 1.8-5 3.3-9.5 6.8-9.5Z',
    ),
    area('yellow', 'M24 15c3 0 8 9 8 16 0 5-3.5 8.5-8 8.5S16 36 16 31c0-7 5-16 8-16Z'),
    ...dots(
      'black',
      1.7,
      [24, 20.5],
      [22, 25.5],
      [26.2, 25.5],
      [20, 31],
      [24.2, 30.5],
      [28.3, 31],
      [22, 35.7],
      [26.3, 35.7],
    ),
  ],
  Pear: [
    ...rod('brown', 'M24 9c0-3 1-5 3-7', 2),
    area('green', 'M26 7c3-5 9-6.5 14-4.5-2 6-8 8.5-14 4.5Z'),
    area(
      'yellow',
      'M24 7.5c5.5 0 8 4 8 9.5C32 23.5 41.5 25.5 41.5 35c0 7-7.5 11.5-17.5 11.5S6.5 42 6.5 35C6.5 25.5 16 23.5 16 17c0-5.5 2.5-9.5 8-9.5Z',
    ),
    patch('green', 'M38.5 28c3.5 6 2 12-4 15-5.5 2.5-14.5 2.8-20.5 0 8 1 16.5-.5 20.5-4.5 3-3 4-7 4-10.5Z'),
    line('paper', 'M11.5 34c.2-3.5 2.5-5.5 5-7.5', 2.5),
  ],
  Pineapple: [
    ...both(area('green', 'M23 19C17 19 11 16 8.5 10.5c6-.5 11 2 14.5 6Z')),
    ...both(area('green', 'M24 18C18 15 14.5 9 15.5 3.5 20 5.5 23.5 10 24 18Z')),
    area('green', 'M24 18c-3.5-5-3.5-11.5 0-16.5 3.5 5 3.5 11.5 0 16.5Z'),
    area('yellow', 'M24 16.5c8 0 13.5 6 13.5 15S32 46.5 24 46.5 10.5 40.5 10.5 31.5 16 16.5 24 16.5Z'),
    line(
      'brown',
      'M13 23.5l18 20.5M18.5 19l18 20M26.5 18l10 11M11.5 32l11.5 13M35 23.5L17 44M29.5 19l-18 20M21.5 18l-10 11M36.5 32L25 45',
      1.7,
    ),
  ],
  Watermelon: [
    area('green', 'M1.5 14h45C46.5 31 37 43 24 43S1.5 31 1.5 14Z'),
    patch('paper', 'M5.5 14h37C42.5 28.5 34.5 38.5 24 38.5S5.5 28.5 5.5 14Z'),
    patch('red', 'M8 14h32c0 12.5-7 21.5-16 21.5S8 26.5 8 14Z'),
    line('ink', 'M1.5 14h45'),
    ...seeds('black', [15, 19.5], [24, 19.5], [33, 19.5], [19.5, 25.5], [28.5, 25.5], [24, 31]),
  ],
};

export const pictureOf: PictureOf = ({ label }) => FRUIT[label];
