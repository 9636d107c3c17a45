import { expect, it } from 'vitest';
import { recordRequestId, requestIdOf } from './api-client.ts';

it('a failure message leads to its latest call', () => {
  recordRequestId('The password is wrong.', 'first');
  recordRequestId('Not found.', 'other');
  recordRequestId('The password is wrong.', 'second');
  expect(['The password is wrong.', 'Not found.', 'Saved.'].map(requestIdOf)).toEqual(['second', 'other', undefined]);
});

it('a failure without an answer leads nowhere, despite earlier calls', () => {
  recordRequestId('Something went wrong', 'answered');
  recordRequestId('Something went wrong', undefined);
  expect(requestIdOf('Something went wrong')).toBeUndefined();
});

it('a page left open keeps a bounded number of failures', () => {
  for (let nth = 0; nth < 1_000; nth++) recordRequestId(`sentence ${nth}`, String(nth));
  expect(
    Array.from({ length: 1_000 }, (_, nth) => requestIdOf(`sentence ${nth}`)).filter(Boolean).length,
  ).toBeLessThanOrEqual(50);
  expect(requestIdOf('sentence 999')).toBe('999');
});
