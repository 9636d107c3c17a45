import { expect, test } from 'vitest';
import { MESSAGE_MS } from '../../firstTexts.ts';
import { liveTexts } from '../../features/live/liveTexts.ts';
import { accountFormTexts as accounts } from '../../features/accounts/edit/accountFormTexts.ts';
import { creditTexts as credit } from '../../features/credit/creditTexts.ts';
import { commonTexts } from '../../commonTexts.ts';
import { readingMs } from './timedMessage.ts';
import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';

test('a short message stays for the specified time, a long one until readable', () => {
  expect(readingMs('Username or password is wrong.', MESSAGE_MS.usual)).toBe(2000);
  expect(readingMs(credit.transferred, MESSAGE_MS.credit)).toBe(3000);
  expect(readingMs('x'.repeat(100), MESSAGE_MS.usual)).toBe(4500);
});

test('no specification sentence stays longer than specified', () => {
  const { auth, errors } = commonTexts;
  const { balanceFailed, balanceError, resetError, resultFailed, resultError, generateFailed, generateError } =
    liveTexts;
  const usual = [
    [errors.noResponse, errors.somethingWentWrong, auth.failed, auth.error, auth.logoutFailed],
    [accounts.updateFailed, accounts.toggleFailed],
    Object.values(accounts.createFailed),
    Object.values(accounts.removeFailed),
    [
      balanceFailed,
      balanceError,
      resetError,
      resultFailed,
      resultError,
      generateFailed,
      generateError,
      GAME_FIELD_TEXTS.wrongBalance,
    ],
  ].flat();
  for (const text of usual) expect([text, readingMs(text, MESSAGE_MS.usual)]).toEqual([text, 2000]);
  for (const text of [credit.transferFailed, credit.adjustFailed, credit.notSignedIn, errors.noResponse])
    expect([text, readingMs(text, MESSAGE_MS.credit)]).toEqual([text, 3000]);
  const { balanceAdded, balanceReset, resultAdded, generated } = liveTexts;
  for (const text of [balanceAdded, balanceReset, resultAdded, generated])
    expect([text, readingMs(text, MESSAGE_MS.live)]).toEqual([text, 1500]);
});
