import type { ShortDraw } from '@drawhouse/contract/draws/draws';

/** How a game stands for a player: bets are taken, betting is closed, its draw is over, or none runs. */
export type DrawPhase = 'open' | 'closed' | 'over' | 'none';

/** The phase of a draw: what the server said last, carried on by its clock where betting closes by time. */
export function phaseOf(draw: Pick<ShortDraw, 'status' | 'closesAt'> | null, now: number): DrawPhase {
  if (!draw) return 'none';
  if (draw.status === 'open') return now < Date.parse(draw.closesAt) ? 'open' : 'closed';
  return draw.status === 'closed' ? 'closed' : 'over';
}

/** What its clock counts down to: the close, then the draw, then the next opening; null where nothing is to come. */
export function nextMoment(
  game: { draw: Pick<ShortDraw, 'status' | 'closesAt' | 'drawsAt'> | null; nextOpensAt: string | null },
  now: number,
): string | null {
  const phase = phaseOf(game.draw, now);
  if (phase === 'open') return game.draw!.closesAt;
  if (phase === 'closed') return game.draw!.drawsAt;
  return game.nextOpensAt;
}
