import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@drawhouse/session/api-client';
import { formRefusal, refusedFields } from './formRefusal.ts';

vi.mock('./session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, noteUnanswered: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const SHOWN = ['amount', 'password', 'transferAmount'];
const invalid = (fields: Record<string, string>) =>
  new ApiError('INVALID_INPUT', 'Look again.', { status: 400, fields });

describe('what a form says above its buttons', () => {
  it('is nothing without a failure, and nothing where every wrong field has its own sentence', () => {
    expect(formRefusal(null, SHOWN).message).toBeNull();
    expect(formRefusal(invalid({ password: 'It is wrong' }), SHOWN).message).toBeNull();
  });

  it('is the sentence of the server where one field is not shown, or none is named', () => {
    expect(formRefusal(invalid({ password: 'It is wrong', userId: 'Not yours' }), SHOWN).message).toBe('Look again.');
    expect(formRefusal(new ApiError('DAILY_LIMIT', 'Enough.', { status: 422 }), SHOWN)).toEqual({
      message: 'Enough.',
      beyond: null,
    });
  });

  it('is nothing where the password was asked for and not given: who cancels knows', () => {
    expect(
      formRefusal(new ApiError('CONFIRM_PASSWORD', 'Please give it again.', { status: 403 }), SHOWN).message,
    ).toBeNull();
  });

  it('is in the words of its own where it has some', () => {
    const words = { refusalText: () => 'An error occurred during login.', doubtText: () => null };
    expect(formRefusal(new Error('quota'), SHOWN, words).message).toBe('An error occurred during login.');
  });

  it('is told more of, in a line of its own, only where it is not known whether it was done', () => {
    const unanswered = new ApiError('NO_RESPONSE', 'An unexpected error occurred');
    const notSent = new ApiError('NO_RESPONSE', 'An unexpected error occurred', { sent: false });
    const message = 'An unexpected error occurred';
    const beyond = 'No answer came, so it may have been done all the same. Check before you send it again.';
    expect(formRefusal(unanswered, SHOWN)).toEqual({ message, beyond });
    expect(formRefusal(notSent, SHOWN)).toEqual({ message, beyond: null });
    expect(formRefusal(new ApiError('OUTCOME_UNKNOWN', 'For programs.', { status: 503 }), SHOWN)).toEqual({
      message: null,
      beyond: 'It may have been done all the same. Check before you send it again.',
    });
    expect(formRefusal(new ApiError('NOT_READY', 'Not yet.', { status: 503 }), SHOWN)).toEqual({
      message: 'Not yet.',
      beyond: null,
    });
  });

  it('goes when the server can be reached again where nothing was sent; one call without an answer is still told', () => {
    const words = { doubtText: () => 'Nobody knows.' };
    const lost = (sent: boolean) => new ApiError('NO_RESPONSE', 'An unexpected error occurred', { sent });
    expect(formRefusal(lost(false), SHOWN, words, false)).toEqual({ message: null, beyond: null });
    expect(formRefusal(lost(true), SHOWN, words, false)).toEqual({
      message: 'An unexpected error occurred',
      beyond: 'Nobody knows.',
    });
  });
});

describe('what single fields are told', () => {
  it('stands under the names of the form, and only there', () => {
    const error = invalid({ transferAmount: 'Too much', password: 'It is wrong', userId: 'Not yours' });
    expect(refusedFields(error, SHOWN, { transferAmount: 'amount' })).toEqual({
      amount: 'Too much',
      password: 'It is wrong',
    });
    expect(refusedFields(new Error('quota'), SHOWN)).toEqual({});
  });
});
