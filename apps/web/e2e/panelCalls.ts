import { randomUUID } from 'node:crypto';
import type { Panel } from '@drawhouse/contract/live/live';
import { callApi } from './support.ts';

/** A line of a bet, as players send it. */
interface BetLine {
  readonly series?: string;
  readonly head?: string;
  readonly drawno: string | number;
  readonly qty: number;
}

/** The server on which an admin's panels are played, and who does. */
interface PanelPlay {
  readonly url: string;
  readonly adminId: string;
  readonly adminToken: string;
  readonly playerToken: string;
}

/**
 * What a panel says by the API, and a player's bets on it, by the key of its game. `play` is asked at each call, as it is known only once the
 * tests run.
 */
export function panelCalls(play: () => PanelPlay) {
  const panelOf = (gameId: string): Promise<Panel> => {
    const { url, adminId, adminToken } = play();
    return callApi(url, `live/loadgame?gameId=${encodeURIComponent(gameId)}&adminId=${adminId}`, adminToken);
  };
  const bet = (gameId: string, lines: readonly BetLine[]): Promise<unknown> => {
    const { url, playerToken } = play();
    return callApi(url, 'app/bet', playerToken, { gameId, requestId: randomUUID(), lines });
  };
  return { panelOf, bet };
}
