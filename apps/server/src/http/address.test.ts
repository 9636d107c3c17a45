import { describe, expect, it } from 'vitest';
import { addressIn, addressKey } from './address.ts';

describe('an address', () => {
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
  ])('%s is none', (text) => {
    expect(addressIn(text)).toBeUndefined();
  });
});

describe('who is counted', () => {
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
