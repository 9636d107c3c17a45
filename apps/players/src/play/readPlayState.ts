import { fetchEarly, fetchFamily } from '../lib/betting/familyRules.ts';
import { beginWalletRead } from '../lib/betting/wallet.ts';
import { call } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { noteServerTime } from '../lib/server/serverTime.ts';
import type { PlayState } from './playState.ts';

export async function readPlayState(gameId: string, signal: AbortSignal): Promise<PlayState> {
  const noteWallet = beginWalletRead();
  fetchEarly(gameId);
  const state = await call(routes.state, { query: { gameId } }, { signal, background: true });
  await fetchFamily(state.family);
  noteServerTime(state.serverTime);
  noteWallet(state);
  return state;
}
