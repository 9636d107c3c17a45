import type { confirmPassword, login, logout, session } from '@drawhouse/contract/auth/auth';
import type { confirmFactors, finishSignIn, signInFactors } from '@drawhouse/contract/auth/factors';
import type { playerResults, playerState } from '@drawhouse/contract/draws/draws';
import type { Route } from '@drawhouse/contract/core/route';
import type { pinGame } from '@drawhouse/contract/players/favorites';
import type { lobby } from '@drawhouse/contract/players/lobby';
import type { ownProtection } from '@drawhouse/contract/players/protection';
import type { welcome } from '@drawhouse/contract/players/welcome';
import type { betOfRequest, placeBet, playerTickets } from '@drawhouse/contract/tickets/tickets';
import type { PlayerRoute } from './playerApi.ts';

export function get<R extends Route>(path: R['path']): PlayerRoute<R> {
  return { method: 'GET', path };
}

export function post<R extends Route>(path: R['path']): PlayerRoute<R> {
  return { method: 'POST', path };
}

/** Excludes routes used only in `/mine` (accountRoutes.ts). */
export const routes = {
  login: post<typeof login>('auth/login'),
  finishSignIn: post<typeof finishSignIn>('auth/factor'),
  signInFactors: post<typeof signInFactors>('auth/factor/options'),
  logout: get<typeof logout>('auth/logout'),
  session: get<typeof session>('auth/session'),
  confirmPassword: post<typeof confirmPassword>('auth/confirm'),
  confirmFactors: post<typeof confirmFactors>('auth/confirm/options'),
  welcome: get<typeof welcome>('welcome'),
  lobby: get<typeof lobby>('app/lobby'),
  pinGame: { method: 'PUT', path: 'app/pins' } as PlayerRoute<typeof pinGame>,
  protection: get<typeof ownProtection>('app/protection'),
  state: get<typeof playerState>('app/state'),
  results: get<typeof playerResults>('app/results'),
  placeBet: post<typeof placeBet>('app/bet'),
  betOfRequest: get<typeof betOfRequest>('app/bet/:requestId'),
  tickets: get<typeof playerTickets>('app/tickets'),
} as const;
