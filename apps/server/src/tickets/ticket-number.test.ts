import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createUuid7 } from '../platform/db/sql/uuids.ts';
import { readTicketName, ticketNumber } from './ticket-number.ts';

it('converts a ticket number back to its id, however typed', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2025-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      fc.nat(300),
      (at, days) => {
        const id = createUuid7({ now: () => at })();
        const now = new Date(at.getTime() + days * 86_400_000);
        for (const typed of [
          id,
          id.toUpperCase(),
          ticketNumber(id),
          ticketNumber(id).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l'),
          ticketNumber(id).replaceAll('1', 'I'),
        ]) {
          const { from, to, end } = readTicketName(typed, now);
          expect(end).toBe(id.slice(-8));
          expect(from.filter((first, index) => first <= id && id <= to[index]!)).toHaveLength(1);
        }
      },
    ),
  );
});

it('does not accept a wrong letter for a digit', () => {
  expect(() => readTicketName('0ABC-1DEF-2GHU', new Date())).toThrow('no letter U');
});
