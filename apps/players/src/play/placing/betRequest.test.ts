import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refusalText, uuidV7 } from './betRequest.ts';

const anyRandom = fc.uint8Array({ minLength: 10, maxLength: 10 });

it('is a UUIDv7 in time order', () => {
  expect(uuidV7(0x017f_22e2_79b0, new Uint8Array(10))).toBe('017f22e2-79b0-7000-8000-000000000000');
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(2 ** 40), anyRandom, anyRandom, (a, b, one, other) => {
      const [first, second] = [uuidV7(a, one), uuidV7(b, other)];
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      if (a < b) expect(first < second).toBe(true);
    }),
  );
});

const lines = [
  { drawno: '7', head: 'number', qty: 1 },
  { drawno: '9', head: 'number', qty: 1 },
];

it('explains refusals without field names', () => {
  const credit = { code: 'INSUFFICIENT_CREDIT', message: 'Not enough credit.' };
  expect(refusalText(credit, lines)).toBe(credit.message);
  const limit = { code: 'LIMIT_REACHED', message: 'lines.1: 5.00 points are left on this number' };
  expect(refusalText({ ...limit, fields: { 'lines.1': '5.00 points are left on this number' } }, lines)).toBe(
    '9: 5.00 points are left on this number.',
  );
  expect(refusalText({ ...limit, fields: { lines: '5.00 points are left to you on this draw' } }, lines)).toBe(
    '5.00 points are left to you on this draw.',
  );
  expect(refusalText({ code: 'BETTING_CLOSED', message: 'x', fields: { drawId: 'y' } }, lines)).toMatch(/is closed/);
  const own = { code: 'OWN_LIMIT', message: 'Your limit is 60.00 points staked per day.', fields: { lines: 'x' } };
  expect(refusalText(own, lines)).toBe(own.message);
  expect(refusalText(null, lines)).toMatch(/did not reach the server/);
});
