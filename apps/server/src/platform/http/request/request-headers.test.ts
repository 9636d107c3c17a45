import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRequestIds, idOfCaller } from './request-headers.ts';

it('ids are distinct ULIDs that sort by call time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 200 }), (steps) => {
      let nowMs = Date.parse('2026-03-10T10:00:00.000Z');
      const next = createRequestIds(() => nowMs);
      const ids = steps.map((step) => {
        nowMs += step;
        return next();
      });
      for (const id of ids) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      expect(new Set(ids).size).toBe(ids.length);
      const times = ids.map((id) => id.slice(0, 10));
      expect(times.toSorted()).toEqual(times);
    }),
  );
});

it("an id contains its call's time, readable by any ULID parser", () => {
  expect(createRequestIds(() => 1_469_918_176_385)().slice(0, 10)).toBe('01ARYZ6S41');
});

it('two servers produce no equal ids', () => {
  const [one, other] = [createRequestIds(() => 1), createRequestIds(() => 1)];
  const ids = Array.from({ length: 100 }, () => [one(), other()]).flat();
  expect(new Set(ids).size).toBe(200);
});

it('an id does not reveal the number of calls at its moment', () => {
  const next = createRequestIds(() => 1);
  const ids = Array.from({ length: 1_000 }, next);
  for (let place = 10; place < 26; place++) expect(new Set(ids.map((id) => id[place])).size).toBe(32);
  expect(ids.toSorted()).not.toEqual(ids);
});

it.each([
  ['3f2a-91.b_C', '3f2a-91.b_C'],
  ['a'.repeat(64), 'a'.repeat(64)],
  ['a'.repeat(65), undefined],
  ['', undefined],
  ['two words', undefined],
  ['"},{"level":60', undefined],
  ['\u001b[2J', undefined],
  [undefined, undefined],
  [['one', 'two'], undefined],
])('accepts a plain request id of the caller: %j', (given, taken) => {
  expect(idOfCaller(given)).toBe(taken);
});
