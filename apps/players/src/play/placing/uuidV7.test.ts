import fc from 'fast-check';
import { expect, it } from 'vitest';
import { uuidV7 } from './uuidV7.ts';

const anyRandom = fc.uint8Array({ minLength: 10, maxLength: 10 });

it('is a UUIDv7 in time order', () => {
  expect(uuidV7(0x017f_22e2_79b0, new Uint8Array(10))).toBe('017f22e2-79b0-7000-8000-000000000000');
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(2 ** 40), anyRandom, anyRandom, (a, b, one, other) => {
      const [first, second] = [uuidV7(a, one), uuidV7(b, other)];
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      if (a < b) expect(first < second).toBe(true);
    }),
  );
});
