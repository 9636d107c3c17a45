import { describe, expect, it } from 'vitest';
import { passwordErrors } from './passwordForm.ts';

const RIGHT = { opass: 'old one', npass: 'a new and long one', cpass: 'a new and long one' };

describe('the form of a new password', () => {
  it('is right when all is there', () => {
    expect(passwordErrors('retailer', RIGHT)).toEqual({ text: null, fields: {} });
  });

  it('asks for all fields before anything else, and marks the empty ones', () => {
    expect(passwordErrors('retailer', { ...RIGHT, opass: '', cpass: '' })).toEqual({
      text: '⚠️ Please fill all fields.',
      fields: { opass: true, cpass: true },
    });
  });

  it('compares the new one with its repetition', () => {
    expect(passwordErrors('retailer', { ...RIGHT, cpass: 'another' }).fields).toEqual({
      cpass: '❌ New and confirm password do not match.',
    });
  });

  it('knows how long a new one is: 8 characters for staff, 6 for players', () => {
    const short = { opass: 'old', npass: 'sevenx7', cpass: 'sevenx7' };
    expect(passwordErrors('admin', short).fields).toEqual({ npass: 'Use at least 8 characters' });
    expect(passwordErrors('user', short).fields).toEqual({});
  });
});
