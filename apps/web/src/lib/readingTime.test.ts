import { expect, test } from 'vitest';
import { MESSAGE_MS } from '../firstMessages.ts';
import { messages } from '../messages.ts';
import { readingMs } from './readingTime.ts';

test('a short message stays for the time of the spec, a long one until it can have been read', () => {
  expect(readingMs('Username or password is wrong.', MESSAGE_MS.usual)).toBe(2000);
  expect(readingMs(messages.credit.transferred, MESSAGE_MS.credit)).toBe(3000);
  expect(readingMs('x'.repeat(100), MESSAGE_MS.usual)).toBe(6000);
});
