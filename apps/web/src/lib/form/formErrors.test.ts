import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@drawhouse/session/api-client';
import { formRefusal, refusedFields } from './formErrors.ts';

vi.mock('../session/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const SHOWN = ['amount', 'password', 'transferAmount'];
const invalid = (fields: Record<string, string>) =>
  new ApiError('INVALID_INPUT', 'Look again.', { status: 400, fields });

describe("a form's general message", () => {
  it('is empty without a failure, or if every wrong field has its own', () => {
    expect(formRefusal(null, SHOWN).message).toBeNull();
    expect(formRefusal(invalid({ password: 'It is wrong' }), SHOWN).message).toBeNull();
  });

  it("uses the server's message if its field is hidden or missing", () => {
    expect(formRefusal(invalid({ password: 'It is wrong', userId: 'Not yours' }), SHOWN).message).toBe('Look again.');
    expect(formRefusal(new ApiError('DAILY_LIMIT', 'Enough.', { status: 422 }), SHOWN)).toEqual({
      message: 'Enough.',
      beyond: null,
    });
  });

  it('is empty if the password prompt was canceled', () => {
    expect(
      formRefusal(new ApiError('CONFIRM_PASSWORD', 'Please give it again.', { status: 403 }), SHOWN).message,
    ).toBeNull();
  });

  it("uses the form's own words if it has some", () => {
    const words = { refusalText: () => 'An error occurred during login.', doubtText: () => null };
    expect(formRefusal(new Error('quota'), SHOWN, words).message).toBe('An error occurred during login.');
  });

  it('has a second line only if the outcome is unknown', () => {
    const unanswered = new ApiError('NO_RESPONSE', 'An unexpected error occurred');
    const notSent = new ApiError('NO_RESPONSE', 'An unexpected error occurred', { sent: false });
    const message = 'An unexpected error occurred';
    const beyond = 'No answer. We don’t know whether it went through. Check before you send it again.';
    expect(formRefusal(unanswered, SHOWN)).toEqual({ message, beyond });
    expect(formRefusal(notSent, SHOWN)).toEqual({ message, beyond: null });
    expect(formRefusal(new ApiError('OUTCOME_UNKNOWN', 'For programs.', { status: 503 }), SHOWN)).toEqual({
      message: null,
      beyond: 'We don’t know whether it went through. Check before you send it again.',
    });
    expect(formRefusal(new ApiError('NOT_READY', 'Not yet.', { status: 503 }), SHOWN)).toEqual({
      message: 'Not yet.',
      beyond: null,
    });
  });

  it('clears on reconnect if nothing was sent; an unanswered call stays', () => {
    const words = { doubtText: () => 'Nobody knows.' };
    const lost = (sent: boolean) => new ApiError('NO_RESPONSE', 'An unexpected error occurred', { sent });
    expect(formRefusal(lost(false), SHOWN, words, false)).toEqual({ message: null, beyond: null });
    expect(formRefusal(lost(true), SHOWN, words, false)).toEqual({
      message: 'An unexpected error occurred',
      beyond: 'Nobody knows.',
    });
  });
});

describe('field messages', () => {
  it("appear only under the form's names", () => {
    const error = invalid({ transferAmount: 'Too much', password: 'It is wrong', userId: 'Not yours' });
    expect(refusedFields(error, SHOWN, { transferAmount: 'amount' })).toEqual({
      amount: 'Too much',
      password: 'It is wrong',
    });
    expect(refusedFields(new Error('quota'), SHOWN)).toEqual({});
  });
});
