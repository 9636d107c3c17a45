import { expect, test, describe, it, vi } from 'vitest';
import { toggleConsequence, bulkSummary, runConcurrently } from './statusChange.ts';

vi.mock('../../lib/session/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));

const shop = { role: 'retailer', inactiveAbove: null } as const;
const player = { role: 'user', inactiveAbove: null } as const;
const kept = { role: 'user', inactiveAbove: { _id: 'x', username: 'north', role: 'admin' } } as const;

test('a deactivation counts affected accounts by role', () => {
  expect(toggleConsequence('deactivate', [shop], { accounts: 12, players: 3400 })).toBe(
    'It is signed out immediately, with 12 accounts and 3,400 players below it, and can’t sign in or bet until it is active again.',
  );
  expect(toggleConsequence('deactivate', [shop], { accounts: 1, players: 0 })).toContain(', with 1 account below it,');
  expect(toggleConsequence('deactivate', [shop], { accounts: 0, players: 1 })).toContain(', with 1 player below it,');
  expect(toggleConsequence('deactivate', [shop, shop], { accounts: 0, players: 2 })).toBe(
    'They are signed out immediately, with 2 players below them, and can’t sign in or bet until they are active again.',
  );
});

test('names nobody if nobody is below, and no number before it is known', () => {
  expect(toggleConsequence('deactivate', [shop], { accounts: 0, players: 0 })).toBe(
    'It is signed out immediately, and can’t sign in or bet until it is active again.',
  );
  expect(toggleConsequence('deactivate', [shop], null)).toContain(', with everyone below it,');
  expect(toggleConsequence('deactivate', [player], null)).not.toContain('below');
});

test('an activation names what still blocks the account', () => {
  expect(toggleConsequence('activate', [player], null)).toBeNull();
  expect(toggleConsequence('activate', [kept], null)).toBe('It still can’t sign in: north is not active.');
  expect(toggleConsequence('activate', [player, kept], null)).toBe('Some still can’t sign in: north is not active.');
});

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

describe('limited concurrency', () => {
  it('runs each item once, in order, within the limit', async () => {
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    await runConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    });
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('finishes started items and starts none after a stop', async () => {
    const stop = new AbortController();
    const done: number[] = [];
    await runConcurrently(
      [1, 2, 3, 4, 5],
      2,
      async (item) => {
        await Promise.resolve();
        if (item === 2) stop.abort();
        done.push(item);
      },
      stop.signal,
    );
    expect(done).toContain(2);
    expect(done).not.toContain(5);
  });

  it('accepts an empty list', async () => {
    await expect(runConcurrently([], 4, () => Promise.reject(new Error('never')))).resolves.toBeUndefined();
  });
});
