import type {
  changePassword,
  endOwnSession,
  listSessions,
  login,
  logout,
  session,
} from '@drawhouse/contract/auth/auth';
import type { confirmPassword } from '@drawhouse/contract/auth/confirm';
import type { fairDraw, playerResults, playerState } from '@drawhouse/contract/draws/draws';
import type { statement, statementSummary } from '@drawhouse/contract/credit/statement';
import type { Route } from '@drawhouse/contract/frame/route';
import type { lobby } from '@drawhouse/contract/players/lobby';
import type {
  confirmOwnLimit,
  excludeOneself,
  ownProtection,
  ownProtectionHistory,
  setOwnLimit,
  takeBreak,
  withdrawOwnLimit,
} from '@drawhouse/contract/players/protection';
import type { welcome } from '@drawhouse/contract/players/welcome';
import type {
  betOfRequest,
  claimWin,
  fairTicket,
  placeBet,
  playerTicketOf,
  playerTickets,
  printTicket,
} from '@drawhouse/contract/tickets/tickets';
import type { CalledRoute } from './playerCall.ts';

function get<R extends Route>(path: R['path']): CalledRoute<R> {
  return { method: 'GET', path };
}

function post<R extends Route>(path: R['path']): CalledRoute<R> {
  return { method: 'POST', path };
}

function put<R extends Route>(path: R['path']): CalledRoute<R> {
  return { method: 'PUT', path };
}

function remove<R extends Route>(path: R['path']): CalledRoute<R> {
  return { method: 'DELETE', path };
}

/** The routes of the contract that this client calls. The compiler knows their paths, inputs and answers; no schema comes with them. */
export const routes = {
  login: post<typeof login>('auth/login'),
  logout: get<typeof logout>('auth/logout'),
  session: get<typeof session>('auth/session'),
  sessions: get<typeof listSessions>('auth/sessions'),
  endSession: remove<typeof endOwnSession>('auth/sessions/:sessionId'),
  confirmPassword: post<typeof confirmPassword>('auth/confirm'),
  changePassword: post<typeof changePassword>('users/chnagepassword'),
  welcome: get<typeof welcome>('welcome'),
  lobby: get<typeof lobby>('app/lobby'),
  protection: get<typeof ownProtection>('app/protection'),
  state: get<typeof playerState>('app/state'),
  results: get<typeof playerResults>('app/results'),
  placeBet: post<typeof placeBet>('app/bet'),
  betOfRequest: get<typeof betOfRequest>('app/bet/:requestId'),
  claim: post<typeof claimWin>('app/claim'),
  tickets: get<typeof playerTickets>('app/tickets'),
  ticket: get<typeof playerTicketOf>('app/ticket/:ticketId'),
  printTicket: post<typeof printTicket>('app/ticket/:ticketId/print'),
  fairTicket: get<typeof fairTicket>('fair/ticket/:ticketId'),
  fairDraw: get<typeof fairDraw>('fair/draw/:drawId'),
  statement: get<(typeof statement)['route']>('credit/statement'),
  statementSummary: get<typeof statementSummary>('credit/statement/summary'),
  protectionHistory: get<typeof ownProtectionHistory>('app/protection/history'),
  setLimit: put<typeof setOwnLimit>('app/protection/limits/:limit'),
  confirmLimit: post<typeof confirmOwnLimit>('app/protection/limits/:limit/confirm'),
  withdrawLimit: post<typeof withdrawOwnLimit>('app/protection/limits/:limit/withdraw'),
  takeBreak: post<typeof takeBreak>('app/protection/break'),
  exclude: post<typeof excludeOneself>('app/protection/exclusion'),
} as const;
