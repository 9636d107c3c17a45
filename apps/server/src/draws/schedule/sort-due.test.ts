import { describe, expect, it } from 'vitest';
import type { DueDraw } from './due-draws.sql.ts';
import { newTries, passOver, sortDue, type SortedDraws } from './schedule-state.ts';

const draw = (id: string, draw_status: DueDraw['draw_status'], also: Partial<DueDraw> = {}): DueDraw => ({
  network_id: 1,
  id,
  draw_status,
  ticket_count: null,
  saved: false,
  due_at: new Date(0),
  early: false,
  ...also,
});
const ids = ({ open, closed, alone }: SortedDraws): string[] =>
  [open, closed, alone].map((some) => some.map(({ id }) => id).join(' '));

describe('due draws', () => {
  const due = [
    draw('open', 'open'),
    draw('empty', 'closed', { ticket_count: 0 }),
    draw('played', 'closed', { ticket_count: 1 }),
    draw('saved', 'closed', { ticket_count: 0, saved: true }),
    draw('drawn', 'drawn', { ticket_count: 0 }),
  ];

  it('are moved together if they need no tickets or anything else, otherwise individually', () => {
    expect(ids(sortDue(due, newTries()))).toEqual(['open', 'empty', 'played saved drawn']);
  });

  it('are tried together three times, then individually, then in the next step', () => {
    const tries = newTries();
    const rounds = Array.from({ length: 5 }, () =>
      ids(sortDue([draw('a', 'open'), draw('b', 'closed', { ticket_count: 0 })], tries)),
    );
    expect(rounds).toEqual([
      ['a', 'b', ''],
      ['a', 'b', ''],
      ['a', 'b', ''],
      ['', '', 'a b'],
      ['', '', ''],
    ]);
    expect(ids(sortDue([draw('a', 'closed', { ticket_count: 0 })], tries))).toEqual(['', 'a', '']);
  });

  it('are skipped in this state after a failure', () => {
    const tries = newTries();
    passOver(tries, draw('a', 'open'));
    expect(ids(sortDue([draw('a', 'open'), draw('b', 'open')], tries))).toEqual(['b', '', '']);
  });
});
