import { REQUEST_ID_HEADER } from '@drawhouse/contract/core/route';
import { expect, it } from 'vitest';
import {
  isServerAnswer,
  isReachable,
  pingServer,
  noteAnswer,
  reportNoAnswer,
  onReachable,
  watchServer,
} from './server-reach.ts';

const answer = (status: number, headers?: Record<string, string>) => ({ status, headers: new Headers(headers) });

it.each([200, 401, 429, 500])('attributes status %i to the server', (status) => {
  expect(isServerAnswer(answer(status))).toBe(true);
});

it.each([502, 503, 504])('attributes status %i to a proxy unless it carries a request id', (status) => {
  expect(isServerAnswer(answer(status))).toBe(false);
  expect(isServerAnswer(answer(status, { [REQUEST_ID_HEADER]: 'a1' }))).toBe(true);
});

it('reports no loss after a proxy error if the server itself answers', async () => {
  const looked: string[] = [];
  let isThere = true;
  const fetch = async (address: string) => {
    looked.push(address);
    return new Response(null, { status: isThere ? 200 : 502 });
  };
  watchServer({ navigator: { onLine: true }, fetch, addEventListener: () => undefined }, () => undefined);
  const states: boolean[] = [];
  const stop = onReachable(() => void states.push(isReachable()));
  noteAnswer(answer(503));
  await expect.poll(() => looked).toEqual(['/healthz']);
  noteAnswer(answer(200));
  expect(states).toEqual([]);
  isThere = false;
  noteAnswer(answer(503));
  await expect.poll(() => states).toEqual([false]);
  isThere = true;
  noteAnswer(answer(200));
  expect(states).toEqual([false, true]);
  stop();
});

it('checks the server once after unanswered calls, without reporting a loss if it responds', async () => {
  let looks = 0;
  let isThere = true;
  const fetch = async () => {
    looks += 1;
    if (!isThere) throw new TypeError('Failed to fetch');
    return new Response(null);
  };
  watchServer({ navigator: { onLine: true }, fetch, addEventListener: () => undefined }, () => undefined);
  const states: boolean[] = [];
  const stop = onReachable(() => void states.push(isReachable()));
  for (let calls = 0; calls < 36; calls++) reportNoAnswer();
  await pingServer();
  expect([looks, states]).toEqual([1, []]);
  isThere = false;
  reportNoAnswer();
  await expect.poll(() => states).toEqual([false]);
  isThere = true;
  noteAnswer(answer(200));
  stop();
});

it('reports the server lost immediately without a network', () => {
  const fetch = async () => new Response(null);
  watchServer({ navigator: { onLine: false }, fetch, addEventListener: () => undefined }, () => undefined);
  reportNoAnswer();
  expect(isReachable()).toBe(false);
});
