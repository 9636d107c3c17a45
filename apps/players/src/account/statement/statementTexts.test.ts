import { expect, it } from 'vitest';
import { movementDetail, movementText } from './statementTexts.ts';

it('describes each movement and its counterpart', () => {
  expect(movementText('credit', { kind: 'stake', credit: 0 })).toBe('Bet placed');
  expect(movementText('credit', { kind: 'claim', credit: 5 })).toBe('Win claimed');
  expect(movementText('winnings', { kind: 'claim', credit: 0 })).toBe('Claimed into your wallet');
  expect(movementText('winnings', { kind: 'win', credit: 5 })).toBe('Win, to claim');
  expect(movementText('credit', { kind: 'credit', credit: 5 })).toBe('Credit received');
  expect(movementDetail({ kind: 'credit', counterpart: 'shop', note: 'March' })).toBe('from shop · March');
  expect(movementDetail({ kind: 'debit', counterpart: 'shop', note: null })).toBe('by shop');
  expect(movementDetail({ kind: 'win', counterpart: 'Lucky 16', note: 'whatever' })).toBe('Lucky 16');
});
