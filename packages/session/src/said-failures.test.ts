import { expect, it } from 'vitest';
import { noteSaid, requestIdOf } from './said-failures.ts';

it('what is said of a failed call leads to the call, the last one of which it was said', () => {
  noteSaid('The password is wrong.', 'first');
  noteSaid('Not found.', 'other');
  noteSaid('The password is wrong.', 'second');
  expect(['The password is wrong.', 'Not found.', 'Saved.'].map(requestIdOf)).toEqual(['second', 'other', undefined]);
});

it('what is said of one that got no answer leads nowhere, whatever it was said of before', () => {
  noteSaid('Something went wrong', 'answered');
  noteSaid('Something went wrong', undefined);
  expect(requestIdOf('Something went wrong')).toBeUndefined();
});

it('a page that is left open keeps no more than it can show', () => {
  for (let nth = 0; nth < 1_000; nth++) noteSaid(`sentence ${nth}`, String(nth));
  expect(
    Array.from({ length: 1_000 }, (_, nth) => requestIdOf(`sentence ${nth}`)).filter(Boolean).length,
  ).toBeLessThanOrEqual(50);
  expect(requestIdOf('sentence 999')).toBe('999');
});
