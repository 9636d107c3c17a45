import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LiveSocket } from '../sockets/live-socket.ts';
import { isReadDue, readDueMs, newRoom, type Room } from './room.ts';

const PANEL = { networkId: 1, gameKey: 'game' };
const roomAt0 = (also: Partial<Room> = {}): Room => ({
  ...newRoom(PANEL),
  readAtMs: 0,
  checkedAtMs: 0,
  fullAtMs: 0,
  ...also,
});
const socket = (busy: boolean, room: Room): LiveSocket =>
  ({ rooms: new Set([room.names.changes]), data: {}, conn: { transport: { writable: !busy } } }) as never;

describe('a room is read', () => {
  it('immediately if never read, otherwise when someone is due for news', () => {
    expect(readDueMs(newRoom(PANEL), true)).toBe(-Infinity);
    expect(readDueMs(roomAt0({ changed: true }), true)).toBe(125);
    expect(readDueMs(roomAt0({ changed: true }), false)).toBe(500);
    expect(readDueMs(roomAt0({ isFullDue: true }), true)).toBe(500);
    expect(readDueMs(roomAt0({ isFullDue: true, checkedAtMs: 450 }), true)).toBe(575);
    const owing = roomAt0();
    owing.owed.add(socket(true, owing));
    expect(readDueMs(owing, false)).toBe(125);
  });

  it('within five seconds of the last read without notifications', () => {
    expect(readDueMs(roomAt0(), true)).toBe(5_000);
    expect(isReadDue(roomAt0(), true, 4_999)).toBe(false);
    expect(isReadDue(roomAt0(), true, 5_000)).toBe(true);
  });
});

describe('a room check', () => {
  it('skips busy sockets until they can take the panel', () => {
    const room = roomAt0();
    room.owed.add(socket(true, room));
    expect(isReadDue(room, true, 125)).toBe(false);
    room.owed.add(socket(false, room));
    expect(isReadDue(room, true, 125)).toBe(true);
  });

  it('in any sequence is neither wasted nor early, and delays no client beyond the whole-panel interval', () => {
    const step = fc.constantFrom('changed', 'owes', 'took', 'nothing');
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), fc.boolean(), (steps, hasChanges) => {
        const room = newRoom(PANEL);
        let nowMs = 0;
        for (const each of steps) {
          if (each === 'changed') room.changed = true;
          if (each === 'owes') room.owed.add(socket(true, room));
          if (each === 'took') room.owed.clear();
          const dueMs = readDueMs(room, hasChanges);
          const isTold = room.changed || room.isFullDue || room.owed.size > 0;
          expect(dueMs).toBeLessThanOrEqual(nowMs + (isTold ? 500 : 5_000));
          nowMs = Math.max(nowMs, dueMs);
          expect(nowMs - room.checkedAtMs).toBeGreaterThanOrEqual(125);
          room.checkedAtMs = nowMs;
          const isRead = isReadDue(room, hasChanges, nowMs);
          expect(isRead || room.owed.size > 0).toBe(true);
          if (!isRead) continue;
          room.readAtMs = nowMs;
          room.isFullDue ||= room.changed;
          room.changed = false;
          if (!room.isFullDue || nowMs - room.fullAtMs < 500) continue;
          room.isFullDue = false;
          room.fullAtMs = nowMs;
        }
      }),
    );
  });
});
