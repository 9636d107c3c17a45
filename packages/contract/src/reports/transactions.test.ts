import { expect, it } from 'vitest';
import { splitAtTicket, transactionMessage, type MessageParts } from './transactions.ts';

const BET = {
  kind: 'stake',
  inTransit: false,
  game: '3D Hourly',
  ticketId: '1234567890',
  by: null,
  note: null,
} as const;

it.each([
  [BET, 'Bet on 3D Hourly, ticket ', ''],
  [{ ...BET, game: null }, 'Bet, ticket ', ''],
  [
    { ...BET, kind: 'refund', by: 'anna', note: 'draw void' },
    'Stake refunded on 3D Hourly, ticket ',
    ' by anna: draw void',
  ],
] as readonly [MessageParts, string, string][])('splits the message of %j at its ticket', (row, before, after) => {
  const message = transactionMessage(row);
  expect(message).toBe(`${before}1234567890${after}`);
  const parts = splitAtTicket({ ...row, message })!;
  expect(parts.what + parts.onGame).toBe(before);
  expect(parts.after).toBe(after);
  expect(parts.onGame).toMatch(/^( on 3D Hourly)?, ticket $/);
});

it('splits no message without a ticket', () => {
  const row = { ...BET, kind: 'credit', inTransit: true, game: null, ticketId: null } as const;
  expect(transactionMessage(row)).toMatch(/ in transit$/);
  expect(splitAtTicket({ ...row, message: transactionMessage(row) })).toBeNull();
});
