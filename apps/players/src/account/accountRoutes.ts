import type { changePassword, endOtherSessions, endOwnSession, listSessions } from '@drawhouse/contract/auth/auth';
import type {
  addApp,
  addPasskey,
  beginApp,
  beginPasskey,
  listFactors,
  removeFactor,
  renewCodes,
} from '@drawhouse/contract/auth/factors';
import type { statement, statementSummary } from '@drawhouse/contract/credit/statement';
import type { fairDraw } from '@drawhouse/contract/draws/draws';
import type { Route } from '@drawhouse/contract/core/route';
import type {
  confirmOwnLimit,
  excludeOneself,
  ownProtectionHistory,
  setOwnLimit,
  takeBreak,
  withdrawOwnLimit,
} from '@drawhouse/contract/players/protection';
import type { claimWin, fairTicket, playerTicketOf, printTicket } from '@drawhouse/contract/tickets/tickets';
import type { PlayerRoute } from '../lib/server/playerApi.ts';
import { get, post } from '../lib/server/playerRoutes.ts';

function put<R extends Route>(path: R['path']): PlayerRoute<R> {
  return { method: 'PUT', path };
}

function remove<R extends Route>(path: R['path']): PlayerRoute<R> {
  return { method: 'DELETE', path };
}

function sensitive<R extends Route>(route: PlayerRoute<R>): PlayerRoute<R> {
  return { ...route, isSensitive: true };
}

/** Separate from other routes, so boards don't load them. */
export const accountRoutes = {
  sessions: get<typeof listSessions>('auth/sessions'),
  endOtherSessions: sensitive(remove<typeof endOtherSessions>('auth/sessions')),
  endSession: sensitive(remove<typeof endOwnSession>('auth/sessions/:sessionId')),
  factors: get<typeof listFactors>('auth/factors'),
  beginApp: sensitive(post<typeof beginApp>('auth/factors/app')),
  addApp: sensitive(post<typeof addApp>('auth/factors')),
  beginPasskey: sensitive(post<typeof beginPasskey>('auth/factors/passkey')),
  addPasskey: sensitive(post<typeof addPasskey>('auth/factors/passkeys')),
  removeFactor: sensitive(remove<typeof removeFactor>('auth/factors/:number')),
  renewCodes: sensitive(post<typeof renewCodes>('auth/factors/codes')),
  changePassword: sensitive(post<typeof changePassword>('users/chnagepassword')),
  claim: post<typeof claimWin>('app/claim'),
  ticket: get<typeof playerTicketOf>('app/ticket/:ticketId'),
  printTicket: post<typeof printTicket>('app/ticket/:ticketId/print'),
  fairTicket: get<typeof fairTicket>('fair/ticket/:ticketId'),
  fairDraw: get<typeof fairDraw>('fair/draw/:drawId'),
  statement: get<(typeof statement)['route']>('credit/statement'),
  statementSummary: get<typeof statementSummary>('credit/statement/summary'),
  protectionHistory: get<typeof ownProtectionHistory>('app/protection/history'),
  setLimit: put<typeof setOwnLimit>('app/protection/limits/:limit'),
  confirmLimit: sensitive(post<typeof confirmOwnLimit>('app/protection/limits/:limit/confirm')),
  withdrawLimit: post<typeof withdrawOwnLimit>('app/protection/limits/:limit/withdraw'),
  takeBreak: post<typeof takeBreak>('app/protection/break'),
  exclude: sensitive(post<typeof excludeOneself>('app/protection/exclusion')),
} as const;
