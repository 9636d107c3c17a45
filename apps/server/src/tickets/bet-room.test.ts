import { describe, expect, it } from 'vitest';
import { createBetRoom } from './bet-room.ts';

const order = (player: number, lines: number) =>
  ({
    actor: { id: `player-${player}` },
    lines: Array.from({ length: lines }, () => ({ drawno: '1', qty: 1 })),
  }) as never;

/** How many bets find room, each of another player, until one does not. */
function fill(room: ReturnType<typeof createBetRoom>, lane: (n: number) => string, lines: number): number {
  for (let n = 0; ; n++) if (!room.take(lane(n), order(n, lines))) return n;
}

describe('the room for bets that wait', () => {
  it('of a player has an end by number and by size, and others have room then', () => {
    const room = createBetRoom();
    let taken = 0;
    while (room.take('a', order(1, 1))) taken++;
    expect(taken).toBe(2_000);
    expect(room.take('a', order(2, 1))).toBe(true);
    taken = 0;
    while (room.take('a', order(3, 1_000))) taken++;
    expect(taken).toBe(20);
  });

  it('of a lane has an end by number and by size, and other lanes have room then', () => {
    const room = createBetRoom();
    expect(fill(room, () => 'a', 1)).toBe(20_000);
    expect(room.take('b', order(0, 1))).toBe(true);
    expect(fill(createBetRoom(), () => 'a', 1_000)).toBe(398);
  });

  it('of the server has an end, whatever the lanes', () => {
    expect(fill(createBetRoom(), (n) => String(n), 1)).toBe(50_000);
    expect(fill(createBetRoom(), (n) => String(n), 1_000)).toBe(796);
  });

  it('is given back', () => {
    const room = createBetRoom();
    const taken = fill(room, (n) => String(n), 1);
    for (let n = 0; n < taken; n++) room.give(String(n), order(n, 1));
    expect(fill(room, (n) => String(n), 1)).toBe(taken);
  });
});
