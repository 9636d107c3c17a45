import { area, line, patch, text, type Paint, type Picture, type PictureOf, type Shape } from './shapes.ts';

/** Drawn on a 24 × 24 grid. */
const SUITS: Readonly<Record<string, { paint: Paint; d: string }>> = {
  '♠': {
    paint: 'ink',
    d: 'M12 1C9 6.5 1.5 9.5 1.5 15.5c0 5.5 7 6 9 2.5 0 2-.5 4-2 5.5h7c-1.5-1.5-2-3.5-2-5.5 2 3.5 9 3 9-2.5C22.5 9.5 15 6.5 12 1Z',
  },
  '♥': {
    paint: 'red',
    d: 'M12 22.5C9 17.5 1.5 13.5 1.5 8c0-6.5 8.5-7.5 10.5-1.5C14 .5 22.5 1.5 22.5 8c0 5.5-7.5 9.5-10.5 14.5Z',
  },
  '♦': { paint: 'red', d: 'M12 .5C14 5 17 9 20.5 12 17 15 14 19 12 23.5 10 19 7 15 3.5 12 7 9 10 5 12 .5Z' },
  '♣': {
    paint: 'ink',
    d:
      'M12 1c5 0 6.8 5 4 8.3 3-1 7 1 7 5.2 0 5.5-7.5 6.5-9.5 2 0 2.5.5 5 2 7h-7c1.5-2 2-4.5 2-7-2 4.5-9.5 3.5-9.5-2 ' +
      '0-4.2 4-6.2 7-5.2C5.2 6 7 1 12 1Z',
  },
};

const CARD = 'M11 1.5h26a5 5 0 0 1 5 5v35a5 5 0 0 1-5 5H11a5 5 0 0 1-5-5v-35a5 5 0 0 1 5-5Z';
const FRAME =
  'M12.5 5.5h23a2.5 2.5 0 0 1 2.5 2.5v32a2.5 2.5 0 0 1-2.5 2.5h-23a2.5 2.5 0 0 1-2.5-2.5V8a2.5 2.5 0 0 1 2.5-2.5Z';

function suit(symbol: string, x: number, y: number, size: number, paint = SUITS[symbol]!.paint): Shape {
  const transform = `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})`;
  return { ...patch(paint, SUITS[symbol]!.d), transform };
}

const WORN: Readonly<Record<string, Picture>> = {
  K: [area('yellow', 'M24.5 19l-1.5-10.5 5 4 3.5-7 3.5 7 5-4L38.5 19Z')],
  Q: [
    area(
      'yellow',
      'M25 19c-.5-4 0-6 .5-8 1.5 2 3 2 3.5 0 .5-2 1.5-3.5 2.5-4.5 1 1 2 2.5 2.5 4.5.5 2 2 2 3.5 0 .5 2 1 4 .5 8Z',
    ),
    patch('red', 'M29.7 15.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0Z'),
  ],
  J: [area('blue', 'M24 19c0-6 3-9 7.5-9s7 4 7 9Z'), line('red', 'M27.5 11c1-4 4-6.5 9-6.5-.5 4-2.5 6.5-6 7')],
};

function card(rank: string, symbol: string): Picture {
  const wide = rank.length > 1;
  const ace = rank === 'A';
  return [
    area('paper', CARD),
    text(SUITS[symbol]!.paint, rank, wide ? 18 : 16, 13, wide ? 16 : 19),
    ...(WORN[rank] ?? []),
    suit(symbol, ace ? 27 : 28, ace ? 31 : 33, ace ? 24 : 21),
  ];
}

const rankOnly = (rank: string): Picture => [
  area('paper', CARD),
  line('grey', FRAME, 1),
  text('ink', rank, 24, 24, rank.length > 1 ? 22 : 27),
];

const colorOnly = (color: 'red' | 'black'): Picture => [
  area(color, CARD),
  suit(color === 'red' ? '♥' : '♠', 24, 14.5, 17, 'paper'),
  suit(color === 'red' ? '♦' : '♣', 24, 34, 17, 'paper'),
];

/** Picks by rank and suit; for Andhar Bahar also ranks, suits or colors alone. */
export const pictureOf: PictureOf = ({ drawno, label }) => {
  const [, rank, symbol] = /^(A|K|Q|J|10|[2-9])?([♠♥♦♣])?$/.exec(label) ?? [];
  if (rank && symbol) return card(rank, symbol);
  if (rank) return rankOnly(rank);
  if (symbol) return [area('paper', CARD), suit(symbol, 24, 24, 29)];
  return drawno === 'red' || drawno === 'black' ? colorOnly(drawno) : undefined;
};
