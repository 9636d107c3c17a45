import { describe, expect, it } from 'vitest';
import { addressIn, addressKey, callerAddress } from './address.ts';

describe('an IP address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
  ])('%s is %s', (text, address) => {
    expect(addressIn(text)).toBe(address);
  });

  it.each([
    undefined,
    '',
    'unknown',
    '<script>',
    '203.0.113',
    '203.0.113.256',
    '1.2.3.4, 5.6.7.8',
    'a'.repeat(5_000),
    '::g',
    '[::1',
    "1.2.3.4'",
  ])('%s is invalid', (text) => {
    expect(addressIn(text)).toBeUndefined();
  });
});

describe("a request's origin", () => {
  const from = (forwarded: string | undefined, remoteAddress = '10.0.0.1') => ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  });

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    // Only the last entry comes from the proxy; clients may forge the rest.
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['198.51.100.1,[2001:db8::1]:443', '2001:db8::1'],
    ['203.0.113.7, unknown', '10.0.0.1'],
    ['', '10.0.0.1'],
    [undefined, '10.0.0.1'],
  ])('behind a proxy sending %s: %s', (forwarded, address) =>
    expect(callerAddress(from(forwarded), true)).toBe(address),
  );

  it('without a proxy is the peer, whatever the headers claim', () => {
    expect(callerAddress(from('203.0.113.7'), false)).toBe('10.0.0.1');
    expect(callerAddress(from(undefined, '::ffff:10.0.0.1'), false)).toBe('10.0.0.1');
  });
});

describe('the rate-limit key', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ])('%s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
