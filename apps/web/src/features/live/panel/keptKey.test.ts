import { expect, test, vi } from 'vitest';
import { ApiError } from '@drawhouse/session/api-client';
import { sendOnce } from './keptKey.ts';
import type { SentRequest } from './keptKey.ts';

vi.mock('../../../lib/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, noteUnanswered: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const LOST = new ApiError('NO_RESPONSE', '');
const REFUSED = new ApiError('TOO_LITTLE_CREDIT', '', { status: 422 });

async function keysOf(...requests: readonly (readonly [request: string, error?: ApiError])[]): Promise<string[]> {
  const sent: { current: SentRequest | null } = { current: null };
  const keys: string[] = [];
  for (const [request, error] of requests) {
    const send = async (key: string) => {
      keys.push(key);
      if (error) throw error;
    };
    await sendOnce(sent, request, send).catch((thrown: unknown) => expect(thrown).toBe(error));
  }
  return keys;
}

test('a retry without an answer reuses its key', async () => {
  const [first, second, third] = await keysOf(['add 5', LOST], ['add 5', LOST], ['add 5']);
  expect([second, third]).toEqual([first, first]);
});

test('an answered request gets a new key, as does a different one', async () => {
  const keys = await keysOf(['add 5'], ['add 5', REFUSED], ['add 5', LOST], ['add 6', LOST], ['add 5']);
  expect(new Set(keys).size).toBe(keys.length);
});
