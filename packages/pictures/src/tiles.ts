import { area, around, both, circle, ellipse, line, patch, rod, type Picture, type PictureOf } from './shapes.ts';

const TILES: Readonly<Record<string, Picture>> = {
  Umbrella: [
    ...rod('brown', 'M24 24v15.5a4.5 4.5 0 0 0 9 0', 3),
    line('brown', 'M24 5V2'),
    area(
      'red',
      'M3 26C3 13 12 5 24 5s21 8 21 21c-2.5-3.5-8.5-3.5-11 0-2.5-3.5-7.5-3.5-10 0-2.5-3.5-7.5-3.5-10 0-2.5-3.5-8.5-3.5-11 0Z',
    ),
    area('yellow', 'M24 5c-6 4-10 12-10 21 2.5-3.5 7.5-3.5 10 0 2.5-3.5 7.5-3.5 10 0 0-9-4-17-10-21Z'),
  ],
  Football: [
    area('paper', circle(24, 24, 21)),
    patch('black', 'M24 15l8.6 6.2-3.3 10.1H18.7l-3.3-10.1Z'),
    ...around(line('black', 'M24 15V9.5'), 5),
    ...around(patch('black', 'M24 10.5l-7-5.2a20 20 0 0 1 14 0Z'), 5),
  ],
  Sun: [
    ...around(area('orange', 'M18 12L24 1.5 30 12Z'), 8),
    area('yellow', circle(24, 24, 12.5)),
    ...both(patch('ink', circle(20, 22.5, 1.6))),
    line('ink', 'M19 27.5c2.5 3 7.5 3 10 0'),
  ],
  Lamp: [
    area('orange', 'M24 2c6 6.5 8 10 8 14a8 8 0 0 1-16 0c0-4 2-7.5 8-14Z'),
    patch('yellow', 'M24 10c3 3.5 4 5 4 7.5a4 4 0 0 1-8 0c0-2.5 1-4 4-7.5Z'),
    area('brown', 'M17 41h14l3 5H14Z'),
    area('brown', 'M3 27c0 9 9 16 21 16s21-7 21-16Z'),
    area('yellow', 'M3 27c0-3 9-5 21-5s21 2 21 5-9 5-21 5-21-2-21-5Z'),
    ...rod('paper', 'M24 20v6', 2),
  ],
  Cow: [
    ...both(area('yellow', 'M15 13C9 12 6 8 7.5 2c2.5 4 6.5 5.5 11.5 7Z')),
    ...both(area('brown', 'M13 17C9 13 4 14 1.5 17c1.5 6 7 7.5 12 5.5Z')),
    area(
      'paper',
      'M12.5 16c0-4 5-6.5 11.5-6.5S35.5 12 35.5 16c.5 6 0 10-1 15-1 8-4.5 14-10.5 14s-9.5-6-10.5-14c-1-5-1.5-9-1-15Z',
    ),
    patch('brown', 'M26 10.5c5 .2 8.5 2.5 8.5 5.5.3 3.5.3 6.5-.1 9.5-4 .8-8.4-1.2-9.4-5.5-.7-3.2.2-6.8 1-9.5Z'),
    area('pink', ellipse(24, 37.5, 11, 7.5)),
    ...both(patch('ink', circle(18.5, 23.5, 2))),
    ...both(patch('ink', ellipse(20, 37, 1.6, 2))),
  ],
  Bucket: [
    ...rod('grey', 'M7.5 17C7.5-2 40.5-2 40.5 17', 2.5),
    area('blue', 'M6 17l4.5 25.5c.4 2.3 1.7 3.5 4 3.5h19c2.3 0 3.6-1.2 4-3.5L42 17Z'),
    line('ink', 'M8.5 31c9 3 22 3 31 0'),
    area('paper', 'M6 17c0-3.5 8-5.5 18-5.5S42 13.5 42 17s-8 5.5-18 5.5S6 20.5 6 17Z'),
    patch('blue', 'M10 18c3-2.2 8-3.2 14-3.2s11 1 14 3.2c-3 2-8 3.2-14 3.2S13 20 10 18Z'),
  ],
  Kite: [
    area('blue', 'M24 36l-6 9.5h12Z'),
    area('red', 'M24 2l18 18-18 19L6 20Z'),
    patch('yellow', 'M24 4.5v15.5H8.5ZM24 20h15.5L24 36.5Z'),
    line('ink', 'M24 2v37M6 20Q24 6 42 20'),
  ],
  'Spinning Top': [
    area('yellow', 'M19.5 37h9L24 47Z'),
    area('brown', 'M19.5 3.5c0-2 9-2 9 0V14h-9Z'),
    area('red', 'M5 19c0-9 38-9 38 0 0 11-7 17-16 22h-6C12 36 5 30 5 19Z'),
    patch('yellow', 'M6.3 23.5c9 4.5 26.4 4.5 35.4 0-.6 2.5-1.6 4.7-3 6.7-8.4 3.6-21 3.6-29.4 0-1.4-2-2.4-4.2-3-6.7Z'),
    line('ink', 'M6 22.5c9 4.5 27 4.5 36 0M9.5 30.5c8.4 3.6 20.6 3.6 29 0'),
  ],
  Rose: [
    ...rod('green', 'M24 28v17', 3),
    area('green', 'M23 42c-8 1-13-2-15-8 8-1 13 1.5 15 8Z'),
    area('green', 'M25 38c7 1 12-2 14-7.5-7-1-12 1.5-14 7.5Z'),
    area('red', 'M11 9c5 1 7 0 13-6 6 6 8 7 13 6 3 11-2 22-13 22S8 20 11 9Z'),
    line('ink', 'M11 9c0 9 4.5 15 13 17 8.5-2 13-8 13-17'),
    area('pink', 'M24 6.5c4 0 7 2.5 7 6s-3 6-7 6-7-2.5-7-6 3-6 7-6Z'),
    line('ink', 'M27.5 12.5c0-2-1.5-3-3.5-3s-4 1.2-4 3 2 2.5 4 2'),
  ],
  Butterfly: [
    line('brown', 'M23 13C22 7 19 4 15.5 3M25 13c1-6 4-9 7.5-10'),
    ...both(area('orange', 'M23 26c-6 0-14 3-14 10.5 0 6 5.5 9 9 7 4.5-3 5-10.5 5-17.5Z')),
    ...both(area('purple', 'M23 22C21 10 11 5 3 7.5 1 17 5 27 13 28c4 0 8-2.5 10-6Z')),
    ...both(patch('yellow', circle(11, 15.5, 3.2))),
    ...both(patch('paper', circle(16.5, 36, 2.2))),
    area('brown', 'M24 11.5c2.2 0 3.2 2 3.2 5 0 9-1 20-3.2 20s-3.2-11-3.2-20c0-3 1-5 3.2-5Z'),
  ],
  Pigeon: [
    ...rod('red', 'M20 38v7h-4M27 38v7h-4', 2),
    area('orange', 'M9 11.5l-7.5 3 7.5 3.5Z'),
    area(
      'grey',
      'M15.5 5c6 0 9.5 4 10 9 .5 5 3 7 8 9 6 2.5 10 6 13 12-6 1.5-11 1.5-15 .5-3 4-8 5.5-13 5-8-1-12.5-7-12.5-15 0-5 ' +
        '1.5-8 1.5-12C7.5 8.5 10.5 5 15.5 5Z',
    ),
    patch('green', 'M8.3 17.5c5 3 12 2.5 17-.5.6 2.2 1.5 3.8 2.8 5-7 3-14.5 3-21 .5.4-1.7.9-3.3 1.2-5Z'),
    area('blue', 'M17 25c7-2 15 2.5 22 8-6 3.5-15 4-20 1-3-2-4-6-2-9Z'),
    line('ink', 'M24 30c3 1.5 6 2.2 9 2.5'),
    patch('orange', circle(14.5, 11.5, 2.3)),
    patch('ink', circle(14.5, 11.5, 1.2)),
  ],
  Rabbit: [
    ...both(area('paper', 'M17 24C10 17 8.5 4 13 1.5c6 0 9.5 10 9.5 20Z')),
    ...both(patch('pink', 'M17 20c-3.5-5-4.5-12.5-3-15.5 3.5 2 5.5 8.5 5.5 15Z')),
    area('paper', 'M24 18c10 0 16 6 16 13.5S33 46 24 46 8 39 8 31.5 14 18 24 18Z'),
    ...both(patch('ink', ellipse(17.5, 29, 1.9, 2.5))),
    ...both(patch('pink', ellipse(13.5, 35.5, 3, 2))),
    area('pink', 'M21 33.5h6l-3 3.5Z'),
    line('ink', 'M24 37v2.5M19 39.5c1 2.5 4 2.5 5 0 1 2.5 4 2.5 5 0'),
  ],
};

export const pictureOf: PictureOf = ({ label }) => TILES[label];
