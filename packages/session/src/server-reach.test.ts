import { REQUEST_ID_HEADER } from '@drawhouse/contract/frame/route';
import { expect, it } from 'vitest';
import { isOfServer } from './server-reach.ts';

const answer = (status: number, headers?: Record<string, string>) => ({ status, headers: new Headers(headers) });

it.each([200, 401, 429, 500])('an answer of %i is the server’s', (status) => {
  expect(isOfServer(answer(status))).toBe(true);
});

it.each([502, 503, 504])('%i is a proxy’s in its place, but where it has the id of the call', (status) => {
  expect(isOfServer(answer(status))).toBe(false);
  expect(isOfServer(answer(status, { [REQUEST_ID_HEADER]: 'a1' }))).toBe(true);
});
