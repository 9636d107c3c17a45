import type { login, logout, session } from '@drawhouse/contract/auth/auth';
import type { confirmPassword } from '@drawhouse/contract/auth/confirm';
import type { playerState } from '@drawhouse/contract/draws/draws';
import type { Route } from '@drawhouse/contract/frame/route';
import type { lobby } from '@drawhouse/contract/players/lobby';
import type { ownProtection } from '@drawhouse/contract/players/protection';
import type { welcome } from '@drawhouse/contract/players/welcome';
import type { betOfRequest, placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import type { PlayerRoute } from './playerApi.ts';

/** A route of the contract that is called by GET, at its path. */
export function get<R extends Route>(path: R['path']): PlayerRoute<R> {
  return { method: 'GET', path };
}

/** A route of the contract that is called by POST, at its path. */
export function post<R extends Route>(path: R['path']): PlayerRoute<R> {
  return { method: 'POST', path };
}

/** The routes of the contract that more than the pages below `/mine` call (mineRoutes.ts has theirs, which come with them). The compiler knows their paths, inputs and answers; no schema comes with them. */
export const routes = {
  login: post<typeof login>('auth/login'),
  logout: get<typeof logout>('auth/logout'),
  session: get<typeof session>('auth/session'),
  confirmPassword: post<typeof confirmPassword>('auth/confirm'),
  welcome: get<typeof welcome>('welcome'),
  lobby: get<typeof lobby>('app/lobby'),
  protection: get<typeof ownProtection>('app/protection'),
  state: get<typeof playerState>('app/state'),
  placeBet: post<typeof placeBet>('app/bet'),
  betOfRequest: get<typeof betOfRequest>('app/bet/:requestId'),
  tickets: get<typeof playerTickets>('app/tickets'),
} as const;
