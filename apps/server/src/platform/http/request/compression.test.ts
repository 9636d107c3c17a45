import { statement } from '@drawhouse/contract/credit/statement';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type SignedIn } from '../../../../test/harness.ts';

let t: TestApp;
let root: SignedIn;

beforeAll(async () => {
  t = await TestApp.start();
  root = await t.signIn('superadmin');
});
afterAll(() => t.close());

const get = (url: string, encoding?: string) =>
  t.app.http.inject({
    url,
    headers: { authorization: `Bearer ${root.token}`, ...(encoding !== undefined && { 'accept-encoding': encoding }) },
  });
const CATALOGUE = '/api/game';

describe('an answer above a kilobyte', () => {
  it.each([
    ['br', 'gzip, deflate, br, zstd', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
  ])('is compressed as %s if accepted, with equal content', async (encoding, accepted, decompress) => {
    const plain = await get(CATALOGUE);
    const small = await get(CATALOGUE, accepted);
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(small.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
    expect(decompress(small.rawPayload).toString()).toBe(plain.payload);
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  });

  it('is uncompressed if refused', async () => {
    expect((await get(CATALOGUE, 'identity')).headers).not.toHaveProperty('content-encoding');
  });
});

it('a short answer is not compressed', async () => {
  expect((await get('/api/auth/session', 'br')).headers).not.toHaveProperty('content-encoding');
});

it.each(statement.files)('a file ($format) is not compressed and announces its rows', async ({ route: { path } }) => {
  const answer = await get(
    `/api/${path}?startDate=2026-01-01T00:00:00.000Z&endDate=2026-12-31T00:00:00.000Z`,
    'gzip, br',
  );
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(answer.headers['x-total-rows']).toBeDefined();
});

it('a compressed body is not decompressed', async () => {
  const answer = await t.app.http.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(JSON.stringify({ username: 'superadmin', password: 'x'.repeat(100_000) })),
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ success: false, code: 'INVALID_JSON' });
});
