import { randomUUID } from 'node:crypto';
import type { Panel } from '@drawhouse/contract/live/live';
import { callApi } from './support.ts';

interface BetLine {
  readonly series?: string;
  readonly head?: string;
  readonly drawno: string | number;
  readonly qty: number;
}

interface PanelPlay {
  readonly url: string;
  readonly adminId: string;
  readonly adminToken: string;
  readonly playerToken: string;
}

/** Takes game keys. `play` is a function because its values exist only once tests run. */
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
