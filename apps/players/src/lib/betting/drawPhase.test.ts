import { expect, it } from 'vitest';
import { nextMoment, phaseOf } from './drawPhase.ts';

const draw = {
  status: 'open' as const,
  closesAt: '2026-01-31T12:00:55.000Z',
  drawsAt: '2026-01-31T12:01:00.000Z',
};
const at = (time: string) => Date.parse(`2026-01-31T${time}Z`);

it("betting closes by the server's clock, before the server says so", () => {
  expect(phaseOf(draw, at('12:00:54.999'))).toBe('open');
  expect(phaseOf(draw, at('12:00:55.000'))).toBe('closed');
  expect(phaseOf({ ...draw, status: 'closed' }, at('12:00:00.000'))).toBe('closed');
  for (const status of ['drawn', 'settled', 'void'] as const)
    expect(phaseOf({ ...draw, status }, at('12:00:00.000'))).toBe('over');
  expect(phaseOf(null, at('12:00:00.000'))).toBe('none');
});

it('the clock counts down to the close, the draw, then the next opening', () => {
  const game = { draw, nextOpensAt: '2026-01-31T12:01:00.000Z' };
  expect(nextMoment(game, at('12:00:00.000'))).toBe(draw.closesAt);
  expect(nextMoment(game, at('12:00:56.000'))).toBe(draw.drawsAt);
  expect(nextMoment({ ...game, draw: null }, at('12:00:00.000'))).toBe(game.nextOpensAt);
  expect(nextMoment({ draw: null, nextOpensAt: null }, at('12:00:00.000'))).toBeNull();
});
