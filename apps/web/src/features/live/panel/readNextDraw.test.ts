import { expect, it } from 'vitest';
import { readNextDraw } from './readNextDraw.ts';

const NOW = '2026-11-24T12:00:00.000Z';
const DRAW = { draw_id: '41', timeopen: '10:00', timeclose: '10:05', ampm: 'AM' };
const SHOWN = { id: '41', opens: '10:00', closes: '10:05' };

it.each([
  ['nextrdraw', { nextrdraw: [DRAW], data: { id: 1 } }],
  ['data', { nextrdraw: [], data: DRAW }],
  ['data as a list', { data: [DRAW] }],
  ['result', { result: DRAW }],
])('reads the next draw from %s', (_, answer) => {
  expect(readNextDraw(answer, NOW)).toEqual(SHOWN);
});

it("accepts any of the fields' names", () => {
  expect(readNextDraw({ result: { _id: 'a', id: 'b', open: '9:00', period: '9:05' } }, NOW)).toEqual({
    id: 'a',
    opens: '9:00',
    closes: '9:05',
  });
  expect(readNextDraw({ data: { id: 7, time: '9:00', ampm: 'PM' } }, NOW)).toEqual({
    id: '7',
    opens: '9:00',
    closes: 'PM',
  });
});

it("shows instants in the viewer's time zone", () => {
  const instants = { opensAt: '2026-11-24T12:00:00.000Z', closesAt: '2026-11-24T12:04:55.000Z' };
  const shown = readNextDraw({ nextrdraw: [{ ...DRAW, ...instants }] }, NOW);
  expect(shown!.opens).toMatch(/^\d\d:00:00$/);
  expect(shown!.closes).toMatch(/^\d\d:04:55$/);
});

it.each([null, {}, { nextrdraw: [] }, { nextrdraw: [], data: null, result: 'none' }])('finds none in %j', (answer) => {
  expect(readNextDraw(answer, NOW)).toBeNull();
});
