import { expect, test } from 'vitest';
import { isExactly, rankedChoices } from './referenceMatch.ts';

const choices = ['big-anita', 'anita2', 'Anita', 'bela'].map((label) => ({ value: label, label }));

test('the whole name comes first, then names that begin so, then names that hold it', () => {
  expect(rankedChoices(choices, ' anita ').map(({ label }) => label)).toEqual(['Anita', 'anita2', 'big-anita']);
  expect(rankedChoices(choices, 'x')).toEqual([]);
  expect(rankedChoices(choices, '')).toHaveLength(4);
});

test('a name is typed whole whatever its case', () => {
  expect(isExactly(choices[2]!, 'ANITA ')).toBe(true);
  expect(isExactly(choices[1]!, 'anita')).toBe(false);
});
