import { expect, it } from 'vitest';
import { movementWith, movementWords } from './statementText.ts';

it('describes each movement and its counterpart', () => {
  expect(movementWords('credit', { kind: 'stake', credit: 0 })).toBe('Bet placed');
  expect(movementWords('credit', { kind: 'claim', credit: 5 })).toBe('Win claimed');
  expect(movementWords('winnings', { kind: 'claim', credit: 0 })).toBe('Claimed into your wallet');
  expect(movementWords('winnings', { kind: 'win', credit: 5 })).toBe('Win, to claim');
  expect(movementWords('credit', { kind: 'credit', credit: 5 })).toBe('Credit received');
  expect(movementWith({ kind: 'credit', counterpart: 'shop', note: 'March' })).toBe('from shop · March');
  expect(movementWith({ kind: 'debit', counterpart: 'shop', note: null })).toBe('by shop');
  expect(movementWith({ kind: 'win', counterpart: 'Lucky 16', note: 'whatever' })).toBe('Lucky 16');
});
