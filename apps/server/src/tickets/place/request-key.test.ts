import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameUuid } from '../../platform/db/sql/uuids.ts';
import { requestOf } from './bet-order.ts';

const PLAYER = randomUUID();
const HEX = Array.from('0123456789abcdef');
const hex = (length: number) => fc.string({ unit: fc.constantFrom(...HEX), minLength: length, maxLength: length });
const timed = fc
  .tuple(hex(12), hex(3), fc.constantFrom('8', '9', 'a', 'b'), hex(15))
  .map(
    ([time, a, variant, b]) => `${time.slice(0, 8)}-${time.slice(8)}-7${a}-${variant}${b.slice(0, 3)}-${b.slice(3)}`,
  );
const timeOf = (id: string): string => id.slice(0, 13);

it("starts with a timed request id's time, in either letter case", () => {
  fc.assert(
    fc.property(timed, (id) => {
      const key = requestOf(PLAYER, id);
      expect(timeOf(key)).toBe(timeOf(id));
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOf(requestOf(PLAYER, id.toUpperCase()))).toBe(timeOf(id));
    }),
  );
});

it('is a pure hash for other request ids, distinct from timed ones', () => {
  const others = fc.oneof(
    fc.uuid({ version: 4 }),
    fc.string({ minLength: 1, maxLength: 64 }),
    timed.map((id) => `${id} `),
  );
  fc.assert(
    fc.property(others, timed, (other, id) => {
      expect(requestOf(PLAYER, other)).toBe(nameUuid(`request:${PLAYER}:${other}`));
      expect(requestOf(PLAYER, other)[14]).toBe('8');
      expect(requestOf(PLAYER, id)[14]).toBe('7');
    }),
  );
});

it('differs for another player, another id, and another letter case', () => {
  fc.assert(
    fc.property(timed, timed, (one, other) => {
      const key = requestOf(PLAYER, one);
      expect(requestOf(PLAYER, one)).toBe(key);
      expect(requestOf(randomUUID(), one)).not.toBe(key);
      if (one !== other) expect(requestOf(PLAYER, other)).not.toBe(key);
      const near = one.slice(0, -1) + (one.endsWith('0') ? '1' : '0');
      expect(requestOf(PLAYER, near)).not.toBe(key);
    }),
  );
});
