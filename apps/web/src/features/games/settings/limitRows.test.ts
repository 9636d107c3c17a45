import { expect, it } from 'vitest';
import { limitNotes, limitProblem, limitUpdates, readLimit, spreadLimit } from './limitRows.ts';
import { textsOf } from './rowForm.ts';

const row = {
  id: 'a',
  gameId: 'g',
  gameName: 'G',
  unitPrice: 2,
  perNumber: 500,
  perTicket: null,
  perPlayer: 100,
};
const texts = textsOf([row], ['perNumber', 'perTicket', 'perPlayer']);

it('an empty limit means none; an amount not above 0 is wrong', () => {
  expect(['', ' ', '500', '1,000.5', '0.01'].map(readLimit)).toEqual([null, null, 500, 1000.5, 0.01]);
  for (const text of ['0', '-1', '0.001', 'many', '1e3'])
    expect([text, limitProblem(text)]).toEqual([text, expect.stringContaining('or leave empty for no limit')]);
  expect(limitProblem('')).toBeNull();
});

it('sends only differences, null when cleared', () => {
  const typed = { ...texts, 'a:perNumber': '', 'a:perTicket': '1,000', 'a:perPlayer': '100.00' };
  expect(limitUpdates([row], typed)).toEqual([{ id: 'a', perNumber: null, perTicket: 1000 }]);
});

it('reports limits that contradict each other or the unit price', () => {
  expect(limitNotes(row, texts)).toEqual({});
  expect(limitNotes(row, { ...texts, 'a:perTicket': '100' })).toEqual({});
  expect(limitNotes(row, { ...texts, 'a:perTicket': '100.01' })).toEqual({
    perTicket: 'Never reached: a player may stake 100.00 on a draw',
  });
  expect(limitNotes(row, { ...texts, 'a:perNumber': '1.99', 'a:perTicket': '2' })).toEqual({
    perNumber: 'This is less than one unit, 2.00',
  });
});

it('spreads a changed limit over all games, and offers nothing if wrong, unchanged or alike', () => {
  const both = textsOf([row, { ...row, id: 'b' }], ['perNumber', 'perTicket', 'perPlayer']);
  const typed = { ...both, 'a:perNumber': ' 20 ' };
  const spread = spreadLimit(both, typed, 'a', 'perNumber')!;
  expect(spread).toEqual({ ...both, 'a:perNumber': '20', 'b:perNumber': '20' });
  expect(spreadLimit(both, spread, 'a', 'perNumber')).toBeNull();
  expect(spreadLimit(both, typed, 'b', 'perNumber')).toBeNull();
  expect(spreadLimit(both, { ...both, 'a:perNumber': '-1' }, 'a', 'perNumber')).toBeNull();
});
