import type { Lobby } from '@drawhouse/contract/players/lobby';
import { call } from './playerApi.ts';
import { routes } from './playerRoutes.ts';
import { noteServerTime } from './serverTime.ts';
import { noteWallet } from './wallet.ts';

/** The name under which every page finds the lobby. */
export const LOBBY = 'lobby';

/** Reads the lobby: the wallet, the day so far, and the games. */
export async function readLobby(signal: AbortSignal): Promise<Lobby> {
  const lobby = await call(routes.lobby, {}, { signal, background: true });
  noteServerTime(lobby.serverTime);
  noteWallet(lobby);
  return lobby;
}
