import type { Lobby } from '@drawhouse/contract/players/lobby';
import { call } from './playerApi.ts';
import { routes } from './playerRoutes.ts';
import { noteServerTime } from './serverTime.ts';
import { noteWallet } from './wallet.ts';

export const LOBBY = 'lobby';

export async function readLobby(signal: AbortSignal): Promise<Lobby> {
  const lobby = await call(routes.lobby, {}, { signal, background: true });
  noteServerTime(lobby.serverTime);
  noteWallet(lobby);
  return lobby;
}
