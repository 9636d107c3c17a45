import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastIdAt, timeOfId, createUuid7 } from './uuids.ts';

const START_MS = Date.parse('2026-03-10T10:00:00.000Z');

function clockOf(instants: readonly number[]): { now(): Date } {
  let looks = 0;
  return { now: () => new Date(instants[Math.min(looks++, instants.length - 1)]!) };
}

const timeOf = (id: string): number => timeOfId(id).getTime();

describe('new ids', () => {
  it('increase whatever the clock does, as UUIDv7', () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(steps, (offsets) => {
        const newId = createUuid7(clockOf(offsets.map((offset) => START_MS + offset)));
        const ids = Array.from({ length: offsets.length }, () => newId());
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids)
          expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  it("increase within a millisecond, past the counter's end", () => {
    const newId = createUuid7(clockOf([START_MS]));
    const ids = Array.from({ length: 10_000 }, () => newId());
    expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true);
    expect(timeOf(ids[4095]!)).toBe(START_MS);
    expect(timeOf(ids[4096]!)).toBe(START_MS + 1);
  });

  it('contain their time', () => {
    const newId = createUuid7(clockOf([START_MS, START_MS + 1, START_MS + 86_400_000]));
    const ids = [newId(), newId(), newId()];
    expect(ids.map(timeOf)).toEqual([START_MS, START_MS + 1, START_MS + 86_400_000]);
    expect(ids[0]!.slice(0, 13)).toBe(
      `${START_MS.toString(16).padStart(12, '0').slice(0, 8)}-${START_MS.toString(16).slice(-4)}`,
    );
  });

  it('are at least the minimum of their time, and of no earlier time', () => {
    const newId = createUuid7(clockOf([START_MS]));
    const ids = [newId(), newId()];
    for (const id of ids)
      expect([id >= leastIdAt(new Date(START_MS)), id < leastIdAt(new Date(START_MS + 1))]).toEqual([true, true]);
    const least = '00000000-0000-7000-8000-000000000000';
    for (const text of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00Z'])
      expect(leastIdAt(new Date(text))).toBe(least);
  });

  it('exceed any id given, without affecting other generators', () => {
    const ahead = createUuid7(clockOf([START_MS + 86_400_000]));
    const newId = createUuid7(clockOf([START_MS]));
    const first = [ahead(), ahead()];
    const second = [newId(first[1])];
    for (let n = 0; n < 5_000; n++) second.push(newId(second.at(-1)));
    expect([...first, ...second].toSorted()).toEqual([...first, ...second]);
    expect(timeOf(newId()) - START_MS).toBeLessThan(5);
  });

  it('differ between two servers at one moment', () => {
    expect(createUuid7(clockOf([START_MS]))()).not.toBe(createUuid7(clockOf([START_MS]))());
  });
});
