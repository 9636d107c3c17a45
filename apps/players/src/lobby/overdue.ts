import type { Lobby } from '@drawhouse/contract/players/lobby';
import { nextMoment, phaseOf } from '../lib/drawPhase.ts';

/** So long after a draw, or an opening, its news ought to have come. */
const LATE_MS = 3000;

/** Whether something has happened that the lobby has not heard of: a draw was due, or one ought to have opened. */
export function isOverdue({ games }: Pick<Lobby, 'games'>, now: number): boolean {
  return games.some((game) => {
    const moment = phaseOf(game.draw, now) === 'open' ? null : nextMoment(game, now);
    return moment !== null && now - Date.parse(moment) > LATE_MS;
  });
}
