import { expect, it } from 'vitest';
import {
  expectSameInput,
  expectSamePlaces,
  leavesOf,
} from '../../../../../../packages/session/test/catalogue-checks.ts';
import { hindi } from './hi.ts';

// Modules imported below keep their English texts.
globalThis.catalogue = undefined;
const { fairTexts } = await import('../fairTexts.ts');
const { ticketTexts } = await import('../ticket/ticketTexts.ts');
const { sealGradeTexts } = await import('../../../lib/format/sealGradeTexts.ts');

const leaves = [
  ...leavesOf('fairTexts', fairTexts, hindi['fairTexts']),
  ...leavesOf('fairTicketTexts', ticketTexts, hindi['fairTicketTexts']),
];
const shared = hindi['sharedText'] as (english: string) => string;
const KEPT = /\.(?:apiFairTicket|npmRunCheckDraw|mod)$/;

it('has all texts of the fairness pages, with what English inserts', () => {
  expectSamePlaces(
    leaves.filter(([path]) => !KEPT.test(path)),
    /[\u0900-\u097F]/,
  );
  expect(expectSameInput(leaves)).toBeGreaterThan(15);
});

it('says how the books are sealed', () => {
  const time = () => '4 Mar 2026';
  const seals = { sealedAt: '', isStopped: true, witnesses: [] };
  const seen = { name: '1', last: 'a', isSilent: false };
  for (const state of [
    null,
    seals,
    { ...seals, witnesses: [seen, seen] },
    { ...seals, isStopped: false, witnesses: [{ ...seen, isSilent: true }] },
  ]) {
    const { sentence } = sealGradeTexts(state, time);
    expect(shared(sentence).replaceAll('4 Mar 2026', '')).not.toMatch(/[A-Za-z]{2}/);
  }
});
