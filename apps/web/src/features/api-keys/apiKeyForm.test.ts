import { describe, expect, it } from 'vitest';
import { apiKeyErrors, formOf, isUnbounded, termsOf } from './apiKeyForm.ts';

const typed = {
  name: ' Front ',
  ticketsPerMinute: '',
  stakePerDay: '',
  permissions: [],
  creditPerDay: '',
  lastDay: '',
  addresses: '',
};
const NO_STAFF_CALLS = { permissions: [], creditPerDay: null, expiresAt: null };

describe('the form of an API key', () => {
  it('omits empty limits and accepts any address separators', () => {
    expect(termsOf(typed)).toEqual({
      name: ' Front ',
      ticketsPerMinute: null,
      stakePerDay: null,
      ...NO_STAFF_CALLS,
      addresses: [],
    });
    const limited = {
      ...typed,
      ticketsPerMinute: '1,200',
      stakePerDay: '50.5',
      addresses: '203.0.113.7, 203.0.114.0/24\n\n::1',
    };
    expect(termsOf(limited)).toMatchObject({
      ticketsPerMinute: 1_200,
      stakePerDay: 50.5,
      addresses: ['203.0.113.7', '203.0.114.0/24', '::1'],
    });
    expect(apiKeyErrors(limited)).toEqual({});
  });

  it("starts with the key's current values", () => {
    const key = {
      name: 'Front',
      ticketsPerMinute: 600,
      stakePerDay: null,
      ...NO_STAFF_CALLS,
      addresses: ['203.0.113.7', '::1'],
    };
    expect(formOf(key as never)).toEqual({
      ...typed,
      name: 'Front',
      ticketsPerMinute: '600',
      stakePerDay: '',
      addresses: '203.0.113.7\n::1',
    });
    expect(formOf(null)).toEqual({ ...typed, name: '' });
  });

  it('warns of a sensitive right without addresses or a daily amount', () => {
    const till = { ...typed, permissions: ['credit' as const], creditPerDay: '100', addresses: '203.0.113.7' };
    expect([till, { ...till, addresses: ' ' }, { ...till, creditPerDay: '' }].map(isUnbounded)).toEqual([
      false,
      true,
      true,
    ]);
    expect(isUnbounded({ ...typed, permissions: ['lists'] })).toBe(false);
  });

  it('keeps the last day of a key that expires', () => {
    const { expiresAt } = termsOf({ ...typed, lastDay: '2026-03-10' });
    expect(formOf({ ...NO_STAFF_CALLS, addresses: [], expiresAt } as never).lastDay).toBe('2026-03-10');
    expect(apiKeyErrors({ ...typed, lastDay: 'soon' })).toHaveProperty('lastDay');
  });

  it('reports errors below their fields', () => {
    const wrong = { ...typed, name: ' ', ticketsPerMinute: '1.5', stakePerDay: 'much', addresses: 'x'.repeat(60) };
    expect(apiKeyErrors(wrong)).toEqual({
      name: 'Name is required',
      ticketsPerMinute: 'Enter a whole number, or leave empty for no limit',
      stakePerDay: 'Enter points above 0 with at most 2 decimals, e.g. 5000, or leave empty for no limit',
      addresses: 'Use at most 50 characters',
    });
  });
});
