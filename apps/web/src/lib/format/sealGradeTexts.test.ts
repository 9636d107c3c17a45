import { expect, it } from 'vitest';
import { sealGradeTexts } from './sealGradeTexts.ts';

const [early, late] = ['2026-03-10T09:00:00.000Z', '2026-03-10T09:05:00.000Z'];
const wordsOf = (
  witnesses: { name: string; last: string | null; isSilent: boolean }[],
  isStopped = false,
): string[] => {
  const { tone, grade, sentence } = sealGradeTexts({ sealedAt: late, isStopped, witnesses }, (iso) =>
    iso.slice(11, 16),
  );
  return [tone, grade, sentence];
};
const none = { name: 'none', last: null, isSilent: true };
const behind = { name: 'behind', last: early, isSilent: true };

it('says until when all current witnesses verified the log', () => {
  const current = [late, early].map((last, at) => ({ name: `w${at}`, last, isSilent: false }));
  expect(wordsOf([...current, behind, none])).toEqual([
    'good',
    'Witnessed by 2',
    'Log verified until 09:00, by w1, w0.',
  ]);
});

it('names the last witness if all are behind, and the server if there is none', () => {
  expect(wordsOf([none, behind])).toEqual([
    'neutral',
    'Not witnessed',
    'Log verified until 09:00, by behind. No witness has verified later records.',
  ]);
  expect(wordsOf([none], true)).toEqual([
    'bad',
    'Not witnessed',
    'This server sealed the books until 09:05. No witness has verified them. Sealing is paused; records committed ' +
      'meanwhile are sealed when it resumes.',
  ]);
});
