import { expect, test, vi } from 'vitest';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { isExactly, onlyChoice, rankedChoices, shownChoices } from './useParentChoice.ts';

vi.mock('../../../lib/session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const choices = ['big-anita', 'anita2', 'Anita', 'bela'].map((label) => ({ value: label, label }));

test('ranks exact names, then prefixes, then substrings', () => {
  expect(rankedChoices(choices, ' anita ').map(({ label }) => label)).toEqual(['Anita', 'anita2', 'big-anita']);
  expect(rankedChoices(choices, 'x')).toEqual([]);
  expect(rankedChoices(choices, '')).toHaveLength(4);
});

test('offers a parent in advance only if there is no other', () => {
  const accounts = choices.map(({ label }) => ({ _id: label, username: label })) as Account[];
  expect(onlyChoice(accounts.slice(0, 1))).toEqual({ value: 'big-anita', label: 'big-anita' });
  for (const none of [accounts, [], undefined]) expect(onlyChoice(none)).toBeNull();
});

test('leaves out accounts of another cell', () => {
  const accounts = choices.map(({ label }, index) => ({
    _id: label,
    username: label,
    cell: { name: `cell-${index}`, isHere: index === 1 },
  })) as Account[];
  expect(onlyChoice(accounts)).toEqual({ value: 'anita2', label: 'anita2' });
  expect(onlyChoice(accounts.slice(2))).toBeNull();
});

test('matches full names in any case', () => {
  expect(isExactly(choices[2]!, 'ANITA ')).toBe(true);
  expect(isExactly(choices[1]!, 'anita')).toBe(false);
});

test('lists the current choice once while nothing is typed', () => {
  const chosen = { value: 'zoe', label: 'zoe' };
  const shown = (typed: string, of: typeof chosen | null) => shownChoices(choices, typed, of).map(({ label }) => label);
  expect(shown('', chosen)).toEqual(['zoe', ...choices.map(({ label }) => label)]);
  expect(shown('', choices[1]!)).toEqual(choices.map(({ label }) => label));
  expect(shown('', null)).toHaveLength(4);
  expect(shown('be', chosen)).toEqual(['bela']);
});
