import { expect, it } from 'vitest';
import { refusalText } from './betRequest.ts';

const lines = [
  { drawno: '7', head: 'number', qty: 1 },
  { drawno: '9', head: 'number', qty: 1 },
];

it('explains refusals without field names', () => {
  const credit = { code: 'INSUFFICIENT_CREDIT', message: 'Not enough credit.' };
  expect(refusalText(credit, lines)).toBe(credit.message);
  const limit = { code: 'LIMIT_REACHED', message: 'lines.1: This number is full for this bet' };
  expect(refusalText({ ...limit, fields: { 'lines.1': 'This number is full for this bet' } }, lines)).toBe(
    '9: This number is full for this bet.',
  );
  expect(refusalText({ ...limit, fields: { lines: '5.00 points are left to you on this draw' } }, lines)).toBe(
    '5.00 points are left to you on this draw.',
  );
  expect(refusalText({ code: 'BETTING_CLOSED', message: 'x', fields: { drawId: 'y' } }, lines)).toMatch(/is closed/);
  const own = { code: 'OWN_LIMIT', message: 'Your limit is 60.00 points staked per day.', fields: { lines: 'x' } };
  expect(refusalText(own, lines)).toBe(own.message);
  expect(refusalText(null, lines)).toMatch(/did not reach the server/);
});
