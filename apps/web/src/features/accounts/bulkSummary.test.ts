import { describe, expect, it } from 'vitest';
import { bulkSummary } from './bulkSummary.ts';

describe('the summary of many', () => {
  it('says how many are done', () => {
    expect(bulkSummary('activate', ['done', 'done'])).toBe('2 of 2 activated.');
  });

  it('says what failed and what was not begun', () => {
    expect(bulkSummary('deactivate', ['done', { refused: 'Not found.' }, 'waiting', 'waiting'])).toBe(
      '1 of 4 deactivated, 1 failed, 2 not begun.',
    );
  });
});
