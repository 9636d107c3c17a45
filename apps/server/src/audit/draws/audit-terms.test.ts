import { describe, expect, it } from 'vitest';
import { createUuid7 } from '../../platform/db/sql/uuids.ts';
import { changedAt, inForceAtFirst, inForceDuring, openedAt, inForceBy } from './audit-terms.ts';

const MINUTE_MS = 60_000;

function server() {
  let nowMs = Date.UTC(2026, 0, 1);
  const start = nowMs;
  const newId = createUuid7({ now: () => new Date(nowMs) });
  return {
    at: (minutes: number) => {
      nowMs = start + minutes * MINUTE_MS;
    },
    change: <T>(value: T) => changedAt({ id: newId(), at: new Date(nowMs), value }),
    open: () => ({ id: newId(), opens_at: new Date(nowMs), closes_at: new Date(nowMs + 4 * MINUTE_MS) }),
  };
}

describe("terms possibly in force at a draw's opening", () => {
  it('are the last ones set before, or either one near a change', () => {
    const { at, change, open } = server();
    at(10);
    const first = change('b');
    at(20);
    const before = open();
    at(30);
    const second = change('c');
    at(30.5);
    const during = open();
    at(40);
    const after = open();
    const periods = inForceBy([inForceAtFirst('a'), first, second]);
    expect([before, during, after].map((draw) => inForceDuring(periods, openedAt(draw)))).toEqual([
      ['b'],
      ['b', 'c'],
      ['c'],
    ]);
  });

  it('may have been set by a fast clock, until set again', () => {
    const { at, change, open } = server();
    at(60);
    const ahead = change('b');
    at(5);
    const draw = open();
    at(30);
    const later = change('c');
    at(70);
    const after = open();
    const periods = inForceBy([inForceAtFirst('a'), ahead, later]);
    expect(inForceDuring(periods, openedAt(draw))).toContain('b');
    expect(inForceDuring(periods, openedAt(after))).toEqual(['c']);
  });
});
