import { CallFailed, messageOf, pause } from '../../tools/demo/client.ts';
import { reportOnce, type Crowd } from './crowd-state.ts';
import { enter, type Player } from './player.ts';
import { NotLetIn } from './socket-wire.ts';

/** Drops bets delayed longer than this. Players with a longer sign-in wait rejoin later. */
export const PATIENCE_MS = 10_000;
/** Pauses by reason: no credit, refused sign-in, other errors, busy server. */
export const AWAY_MS = { broke: 60_000, refused: 4 * 60_000, other: 10_000, busy: 1_000 } as const;
export const SESSION_ENDS: ReadonlySet<string> = new Set(['SESSION_ENDED', 'SESSION_REPLACED']);

export async function signInPlayer(crowd: Crowd, player: Player): Promise<void> {
  const { simulation, players, clock, enterInTurn } = crowd;
  const { games, idle } = players;
  const { wire, signal, together } = simulation;
  const untilMs = together && clock.startMs === Infinity ? crowd.letInUntilMs : clock.endMs;
  while (!signal.aborted && performance.now() < untilMs) {
    try {
      await enterInTurn(() => enter(player, { wire, choice: simulation, games }));
      if (player.games.length === 0) {
        reportOnce(crowd, player.username, 'NO_GAMES', 'It has none of the games that are asked for.');
        signInAgain(crowd, player, AWAY_MS.broke);
        return;
      }
      idle.push(player);
      clock.wake();
      return;
    } catch (error) {
      if (signal.aborted) return;
      const waitMs = waitAfter(crowd, player, error);
      if (waitMs > PATIENCE_MS) {
        signInAgain(crowd, player, waitMs);
        return;
      }
      await pause(waitMs, signal);
    }
  }
}

export function signInAgain(crowd: Crowd, player: Player, afterMs: number): void {
  setTimeout(() => void signInPlayer(crowd, player), afterMs).unref();
}

function waitAfter(crowd: Crowd, player: Player, error: unknown): number {
  const code = error instanceof CallFailed || error instanceof NotLetIn ? error.code : 'UNEXPECTED';
  const busy = code === 'THROTTLED' || code === 'NO_RESPONSE' || code === 'NOT_READY';
  if (SESSION_ENDS.has(code)) player.call.forget();
  if (!busy) reportOnce(crowd, player.username, code, messageOf(error));
  const askedMs = error instanceof CallFailed ? error.retryAfterMs : undefined;
  return askedMs ?? (busy ? AWAY_MS.busy : AWAY_MS.refused);
}
