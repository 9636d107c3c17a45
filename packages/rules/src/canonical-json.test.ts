import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, shuffled(part)]),
  );
}

describe('canonical JSON', () => {
  it('is equal for equal values, whatever their field order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('is lossless, so different values differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('survives the database, which reorders fields', () => {
    expect(canonicalJson({ b: 1, aa: { d: [1, { z: 1, y: 2 }], c: null } })).toBe(
      '{"aa":{"c":null,"d":[1,{"y":2,"z":1}]},"b":1}',
    );
  });

  it('reads long numbers as the nearest double', () => {
    const amount = {
      toJSON: () => (JSON as never as { rawJSON: (text: string) => unknown }).rawJSON('90071992547409.93'),
    };
    expect(canonicalJson({ amount })).toBe(canonicalJson({ amount: Number('90071992547409.93') }));
  });

  it('omits undefined, as the database does', () => {
    expect(canonicalJson({ note: undefined, amount: 5 })).toBe('{"amount":5}');
  });

  it('keeps list order', () => {
    expect(canonicalJson([3, 1, 2])).toBe('[3,1,2]');
  });
});
