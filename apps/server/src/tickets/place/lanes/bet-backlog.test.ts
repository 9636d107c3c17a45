import { describe, expect, it } from 'vitest';
import { createBetBacklog } from './bet-lanes.ts';

const order = (player: number, lines: number) =>
  ({
    actor: { id: `player-${player}` },
    lines: Array.from({ length: lines }, () => ({ drawno: '1', qty: 1 })),
  }) as never;

function fill(backlog: ReturnType<typeof createBetBacklog>, lane: (n: number) => string, lines: number): number {
  for (let n = 0; ; n++) if (!backlog.add(lane(n), order(n, lines))) return n;
}

describe('the bet queue', () => {
  it('is limited per player by number and size, without blocking others', () => {
    const backlog = createBetBacklog();
    let taken = 0;
    while (backlog.add('a', order(1, 1))) taken++;
    expect(taken).toBe(2_000);
    expect(backlog.add('a', order(2, 1))).toBe(true);
    taken = 0;
    while (backlog.add('a', order(3, 1_000))) taken++;
    expect(taken).toBe(20);
  });

  it('is limited per lane by number and size, without blocking other lanes', () => {
    const backlog = createBetBacklog();
    expect(fill(backlog, () => 'a', 1)).toBe(20_000);
    expect(backlog.add('b', order(0, 1))).toBe(true);
    expect(fill(createBetBacklog(), () => 'a', 1_000)).toBe(398);
  });

  it('is limited in total across lanes', () => {
    expect(fill(createBetBacklog(), (n) => String(n), 1)).toBe(50_000);
    expect(fill(createBetBacklog(), (n) => String(n), 1_000)).toBe(796);
  });

  it('frees its space', () => {
    const backlog = createBetBacklog();
    const taken = fill(backlog, (n) => String(n), 1);
    for (let n = 0; n < taken; n++) backlog.remove(String(n), order(n, 1));
    expect(fill(backlog, (n) => String(n), 1)).toBe(taken);
  });
});
