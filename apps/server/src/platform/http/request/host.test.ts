import { describe, expect, it } from 'vitest';
import { isOfOwnOrigin, hasOneHost } from './address.ts';

describe('the requested host', () => {
  it.each([
    [[], true],
    [['Host', 'a'], true],
    [['Host', 'a', 'X-Host', 'b', 'accept', 'host'], true],
    [['Host', 'a', 'accept', '*/*', 'hOST', 'a'], false],
  ])('is stated once: %j', (rawHeaders, isFine) => {
    expect(hasOneHost({ rawHeaders })).toBe(isFine);
  });
});

describe("a page's origin", () => {
  const isOwn = (origin: string | undefined, host: string, forwarded?: string, trustProxy = false): boolean =>
    isOfOwnOrigin(
      {
        headers: { host, ...(origin !== undefined && { origin }), ...(forwarded && { 'x-forwarded-host': forwarded }) },
      },
      trustProxy,
    );

  it.each([
    [undefined, 'here.example'],
    ['http://here.example', 'here.example'],
    ['https://here.example', 'here.example'],
    ['https://here.example', 'here.example:443'],
    ['http://127.0.0.1:3000', '127.0.0.1:3000'],
    ['https://HERE.example', 'Here.Example'],
    ['http://[::1]:3000', '[::1]:3000'],
  ])('is accepted if it matches the host: %s at %s', (origin, host) => expect(isOwn(origin, host)).toBe(true));

  it.each([
    ['https://elsewhere.example', 'here.example'],
    ['https://here.example.elsewhere.example', 'here.example'],
    ['https://sub.here.example', 'here.example'],
    ['http://here.example:8080', 'here.example'],
    ['http://here.example', 'here.example:443'],
    ['https://here.example', 'here.example@elsewhere.example'],
    ['null', 'here.example'],
    ['null', 'null'],
    ['', 'here.example'],
    ['file://', ''],
    ['file:///here.example', 'here.example'],
  ])('is refused otherwise: %s at %s', (origin, host) => expect(isOwn(origin, host)).toBe(false));

  it('is compared with the host given by a trusted proxy', () => {
    expect(isOwn('https://here.example', '127.0.0.1:3000', 'here.example', true)).toBe(true);
    expect(isOwn('https://here.example', '127.0.0.1:3000', 'elsewhere.example, here.example', true)).toBe(true);
    expect(isOwn('https://here.example', '127.0.0.1:3000', 'here.example, elsewhere.example', true)).toBe(false);
    expect(isOwn('https://elsewhere.example', '127.0.0.1:3000', 'elsewhere.example')).toBe(false);
    expect(isOwn('https://here.example', 'here.example', undefined, true)).toBe(true);
  });
});
