import { expect, test, vi } from 'vitest';
import { ApiError } from '@drawhouse/session/api-client';
import { failureText, refusalOf, sendOnce, type SentRequest } from './panelCalls.ts';

vi.mock('../../../../lib/session/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));

const texts = { done: 'done', failed: 'failed', error: 'error' };

test.each([
  [
    "the server's field message",
    new ApiError('INVALID_INPUT', 'Invalid', { status: 400, fields: { balance: 'Too much' } }),
    'Too much',
    'Too much',
  ],
  [
    "the server's message",
    new ApiError('DRAW_CLOSED', 'The draw is closed', { status: 409 }),
    'The draw is closed',
    'The draw is closed',
  ],
  ['a refusal without a message', new ApiError('DRAW_CLOSED', '', { status: 409 }), 'failed', null],
  ['an internal error', new ApiError('INTERNAL', '', { status: 500 }), 'error', null],
  ['a missing answer is not a refusal', new ApiError('NO_RESPONSE', 'No answer'), 'error', null],
  ['an unknown outcome is not a refusal', new ApiError('OUTCOME_UNKNOWN', 'Unknown', { status: 503 }), 'error', null],
  ['a client error is not a refusal', new TypeError('broken'), 'error', null],
])('describes a failure: %s', (_of, error, text, refusal) => {
  expect(failureText(error, texts)).toBe(text);
  expect(refusalOf(error)).toBe(refusal);
});

vi.mock('../../../../lib/session/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
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
