import type { ShortDraw } from '@drawhouse/contract/draws/draws';

export type DrawPhase = 'open' | 'closed' | 'over' | 'none';

export function phaseOf(draw: Pick<ShortDraw, 'status' | 'closesAt'> | null, now: number): DrawPhase {
  if (!draw) return 'none';
  if (draw.status === 'open') return now < Date.parse(draw.closesAt) ? 'open' : 'closed';
  return draw.status === 'closed' ? 'closed' : 'over';
}

/** Grace period for news after a draw or opening. */
const NEWS_GRACE_MS = 3000;

export function isNewsOverdue(game: Parameters<typeof nextMoment>[0], now: number): boolean {
  const moment = phaseOf(game.draw, now) === 'open' ? null : nextMoment(game, now);
  return moment !== null && now - Date.parse(moment) > NEWS_GRACE_MS;
}

/** A next draw this far off is named by its opening time too. */
const SOON_MS = 10 * 60_000;

/** Returns the opening time of the next draw if none runs and it is not soon; else empty text. */
export function laterOpening(game: Parameters<typeof nextMoment>[0], now: number): string {
  const phase = phaseOf(game.draw, now);
  if (phase === 'open' || phase === 'closed' || game.nextOpensAt === null) return '';
  return Date.parse(game.nextOpensAt) - now > SOON_MS ? game.nextOpensAt : '';
}

export function nextMoment(
  game: { draw: Pick<ShortDraw, 'status' | 'closesAt' | 'drawsAt'> | null; nextOpensAt: string | null },
  now: number,
): string | null {
  const phase = phaseOf(game.draw, now);
  if (phase === 'open') return game.draw!.closesAt;
  if (phase === 'closed') return game.draw!.drawsAt;
  return game.nextOpensAt;
}
