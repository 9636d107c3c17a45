import { describe, expect, it, vi } from 'vitest';
import { passwordErrors } from './ChangePasswordForm.tsx';

vi.mock('../../lib/session/session.ts', () => ({
  getSession: () => null,
  onSession: () => undefined,
  noteServerDate: () => undefined,
}));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const RIGHT = { opass: 'old one', npass: 'a new and long one', cpass: 'a new and long one' };

describe('the new password form', () => {
  it('accepts complete input', () => {
    expect(passwordErrors(RIGHT)).toEqual({ text: null, fields: {} });
  });

  it('requires all fields first and marks empty ones', () => {
    expect(passwordErrors({ ...RIGHT, opass: '', cpass: '' })).toEqual({
      text: '⚠️ Please fill all fields.',
      fields: { opass: true, cpass: true },
    });
  });

  it('compares password and repetition', () => {
    expect(passwordErrors({ ...RIGHT, cpass: 'another' }).fields).toEqual({
      cpass: '❌ New and confirm password do not match.',
    });
  });

  it.each([
    ['sevenx7', 'Use at least 8 characters'],
    ['x1x1x1x1', 'Use at least 3 different characters'],
  ])('detects that %s is missing', (npass, sentence) => {
    expect(passwordErrors({ opass: 'old', npass, cpass: npass }).fields).toEqual({ npass: sentence });
  });
});
