import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uuid7From } from '../db/uuid7.ts';
import { idsOfNumber, ticketNumber } from './ticket-number.ts';

const idAt = (ms: number): string => uuid7From({ now: () => new Date(ms) })();
const FIRST = Date.parse('2026-01-01T00:00:00Z');
const LAST = Date.parse('2029-12-31T00:00:00Z');

it('a ticket is found by its number among those of years, however that was typed', () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST, max: LAST }), (ms) => {
      const id = idAt(ms);
      const number = ticketNumber(id);
      const typed = number.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
      for (const text of [number, typed]) {
        const { low, high, end } = idsOfNumber(text, idAt(FIRST), idAt(LAST))!;
        expect(low.filter((bound, place) => bound <= id && id <= high[place]!)).toHaveLength(1);
        expect(id.endsWith(end)).toBe(true);
        expect(low.length).toBeLessThan(500);
      }
    }),
  );
});

it('what is no number of a ticket is none', () => {
  for (const wrong of [
    '',
    '7',
    'AAAA-BBBB-CCC',
    'AAAA-BBBB-CCCCC',
    'AAAA-BBBB-CCC!',
    'UUUU-UUUU-UUUU',
    '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  ])
    expect({ wrong, ids: idsOfNumber(wrong, idAt(FIRST), idAt(LAST)) }).toEqual({ wrong, ids: null });
});
