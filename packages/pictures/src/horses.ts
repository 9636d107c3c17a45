import {
  area,
  circle,
  line,
  patch,
  PLATE,
  text,
  type Paint,
  type Picture,
  type PictureOf,
  type Shape,
} from './shapes.ts';

/** No two of the twelve share pattern and color. */
const SILKS = {
  plain: '',
  stripes: 'M9 2.3L10 2h6.5v44H11l-2-.3ZM24 2h7.5v44H24ZM39 2.2a9 9 0 0 1 7 8.8v26a9 9 0 0 1-7 8.8Z',
  hoops: 'M2 9h44v7.5H2ZM2 24h44v7.5H2ZM2 39h44l-7 7H9Z',
  halves: 'M24 2h13a9 9 0 0 1 9 9v26a9 9 0 0 1-9 9H24Z',
  quarters: 'M24 2h13a9 9 0 0 1 9 9v13H24ZM2 24h22v22H11a9 9 0 0 1-9-9Z',
  sash: 'M2 11a9 9 0 0 1 5-8L46 36v1a9 9 0 0 1-4.5 7.8L2 13Z',
} as const;

interface Horse {
  readonly coat: Paint;
  readonly mane: Paint;
  readonly silk: Paint;
  readonly second: Paint;
  readonly pattern: keyof typeof SILKS;
  readonly blaze?: boolean;
}

const HEAD =
  'M26 3.5c3 1.5 5 4 5.5 7C39 14.5 43 22 44.5 32c.3 2 .5 4 .5 6a8 8 0 0 1-8 8H21c0-6.5 2-10 5.5-14-3 1.5-6.5 2-9 ' +
  '1.2-2 2.8-4.5 4.8-7.5 4.5-3.5-.3-6.5-3-6.3-6.5.2-3 2.3-5 4.3-7.2 3-3.2 5-8 8.5-11 2.5-2 4.8-3.2 ' +
  '8-3.5-.2-2.5.2-5 1.5-6Z';
const MANE =
  'M26 3.5c3 1.5 5 4 5.5 7C39 14.5 43 22 44.5 32c.3 2 .5 4 .5 6a8 8 0 0 1-3.5 6.5C41.5 32 37 21 28.5 ' +
  '15c-2-1.5-4-2-5.5-1.5.3-1.5 1-3 1.5-4-.2-2.5.2-5 1.5-6Z';

function horse(drawno: string, { coat, mane, silk, second, pattern, blaze }: Horse): Picture {
  const shapes: Shape[] = [area(silk, PLATE)];
  if (SILKS[pattern]) shapes.push(patch(second, SILKS[pattern]), line('ink', PLATE));
  shapes.push(area(coat, HEAD));
  if (blaze)
    shapes.push(
      patch('paper', 'M22.5 11c-3 .8-5 2-7 3.7C12.5 17.5 10.5 22 7.8 25c2.5-.5 5.2-2 7.2-4.5 2.5-3.5 4-7 7.5-9.5Z'),
    );
  const detail = coat === 'black' ? 'paper' : 'ink';
  shapes.push(line(detail, 'M9 22.5c3.5 1.5 6 5 6.5 10M13.5 26.5l11-6.5'));
  shapes.push(patch(detail, circle(19.5, 17.5, 2)), patch(detail, circle(6.5, 30.5, 1.5)));
  shapes.push(area(mane, MANE));
  shapes.push(
    area('paper', 'M29 28h13a4 4 0 0 1 4 4v5a9 9 0 0 1-9 9H29a3 3 0 0 1-3-3V31a3 3 0 0 1 3-3Z'),
    text('ink', drawno, 36, 37, drawno.length > 1 ? 13 : 16),
  );
  return shapes;
}

const STABLE: Readonly<Record<string, Horse>> = {
  Arrow: { coat: 'brown', mane: 'black', silk: 'red', second: 'paper', pattern: 'plain' },
  Blaze: { coat: 'orange', mane: 'brown', silk: 'blue', second: 'yellow', pattern: 'sash', blaze: true },
  Comet: { coat: 'grey', mane: 'paper', silk: 'purple', second: 'paper', pattern: 'stripes' },
  Dancer: { coat: 'yellow', mane: 'paper', silk: 'pink', second: 'purple', pattern: 'halves' },
  Eclipse: { coat: 'black', mane: 'grey', silk: 'yellow', second: 'orange', pattern: 'quarters' },
  Flash: { coat: 'yellow', mane: 'black', silk: 'green', second: 'paper', pattern: 'hoops' },
  Gallant: { coat: 'brown', mane: 'brown', silk: 'paper', second: 'red', pattern: 'stripes', blaze: true },
  Hurricane: { coat: 'grey', mane: 'black', silk: 'orange', second: 'blue', pattern: 'halves' },
  Ivory: { coat: 'paper', mane: 'yellow', silk: 'green', second: 'yellow', pattern: 'quarters' },
  Jet: { coat: 'black', mane: 'black', silk: 'red', second: 'yellow', pattern: 'hoops' },
  Knight: { coat: 'paper', mane: 'grey', silk: 'blue', second: 'red', pattern: 'halves' },
  Legend: { coat: 'orange', mane: 'paper', silk: 'purple', second: 'yellow', pattern: 'sash' },
};

export const pictureOf: PictureOf = ({ drawno, label }) => {
  const each = STABLE[label];
  return each && horse(drawno, each);
};
