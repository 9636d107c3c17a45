import { describe, expect, it } from 'vitest';
import { bulkSummary } from './bulkSummary.ts';

describe('the bulk summary', () => {
  it('counts the successful ones', () => {
    expect(bulkSummary('activate', ['done', 'done'])).toBe('2 of 2 activated.');
  });

  it('lists failed and unstarted ones', () => {
    expect(bulkSummary('deactivate', ['done', { refused: 'Not found.' }, 'waiting', 'waiting'])).toBe(
      '1 of 4 deactivated, 1 failed, 2 not started.',
    );
  });
});
