import { describe, expect, it } from 'vitest';
import { passwordErrors } from './passwordForm.ts';

const RIGHT = { opass: 'old one', npass: 'a new and long one', cpass: 'a new and long one' };

describe('the form of a new password', () => {
  it('is right when all is there', () => {
    expect(passwordErrors(RIGHT)).toEqual({ text: null, fields: {} });
  });

  it('asks for all fields before anything else, and marks the empty ones', () => {
    expect(passwordErrors({ ...RIGHT, opass: '', cpass: '' })).toEqual({
      text: '⚠️ Please fill all fields.',
      fields: { opass: true, cpass: true },
    });
  });

  it('compares the new one with its repetition', () => {
    expect(passwordErrors({ ...RIGHT, cpass: 'another' }).fields).toEqual({
      cpass: '❌ New and confirm password do not match.',
    });
  });

  it.each([
    ['sevenx7', 'Use at least 8 characters'],
    ['x1x1x1x1', 'Use at least 3 different characters'],
  ])('knows what %s lacks', (npass, sentence) => {
    expect(passwordErrors({ opass: 'old', npass, cpass: npass }).fields).toEqual({ npass: sentence });
  });
});
