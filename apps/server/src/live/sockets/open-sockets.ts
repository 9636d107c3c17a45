import type { Presence } from '../../auth/sessions/presence.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { refuse } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';
import type { Logger } from 'pino';
import { liveSessions } from '../../auth/sessions/sessions.ts';
import type { Session } from '../../auth/sessions/sessions.ts';
import type { EndedSessions, Services } from '../../platform/services.ts';

/** Tabs per session. A new socket closes the oldest. */
const SOCKETS_PER_SESSION = 6;
/** A key may serve many machines. A new socket closes the oldest. */
const SOCKETS_PER_KEY = 64;

export interface OpenSockets {
  add(socket: LiveSocket): void;
  /** Separate from sessions: the key is judged on every request. */
  addProgram(socket: LiveSocket): void;
  sessionIds(): readonly string[];
  of(sessionIds: readonly string[]): readonly LiveSocket[];
  below(accountId: string): readonly LiveSocket[];
}

export function createOpenSockets(presence: Pick<Presence, 'opened' | 'closed'>): OpenSockets {
  /** Oldest first. */
  const sessions = new Map<string, Set<LiveSocket>>();
  const programs = new Map<string, Set<LiveSocket>>();
  return {
    add(socket) {
      const { id: sessionId } = socket.data.session;
      presence.opened(sessionId);
      addToGroup(sessions, sessionId, socket, {
        most: SOCKETS_PER_SESSION,
        noneLeft: () => presence.closed(sessionId),
      });
    },
    addProgram: (socket) =>
      addToGroup(programs, socket.data.token, socket, { most: SOCKETS_PER_KEY, noneLeft: () => {} }),
    sessionIds: () => [...sessions.keys()],
    of: (sessionIds) => sessionIds.flatMap((sessionId) => [...(sessions.get(sessionId) ?? [])]),
    below: (accountId) =>
      [...sessions.values()].flatMap((tabs) =>
        [...tabs].filter(({ data }) => data.session.actor.chain.includes(accountId)),
      ),
  };
}

function addToGroup(
  all: Map<string, Set<LiveSocket>>,
  key: string,
  socket: LiveSocket,
  { most, noneLeft }: { readonly most: number; readonly noneLeft: () => void },
): void {
  const own = all.get(key) ?? new Set();
  all.set(key, own.add(socket));
  socket.on('disconnect', () => {
    own.delete(socket);
    if (own.size > 0 || all.get(key) !== own) return;
    all.delete(key);
    noneLeft();
  });
  if (own.size > most) closeOldest(own);
}

function closeOldest(tabs: Set<LiveSocket>): void {
  const [oldest] = tabs;
  tabs.delete(oldest!);
  refuse(oldest!, new CallError('TOO_MANY_SOCKETS'));
  oldest!.disconnect(true);
}

export const SWEEP_EVERY_MS = 15_000;

/** Closes sockets of ended sessions and updates sockets of moved accounts. Returns a stop function. */
export function cutEndedSockets(
  services: Services,
  sockets: OpenSockets,
  authenticate: (token: string) => Session | Promise<Session>,
  logger: Logger,
): () => void {
  const moving = new Map<LiveSocket, Promise<void>>();

  function ended(which: EndedSessions): void {
    if ('ids' in which) return cut(sockets.of(which.ids));
    const { below } = which;
    cut(sockets.below(below).filter((socket) => !moving.has(socket)));
    // Judged by their new chain: they may have left the ended subtree or joined it.
    for (const [socket, found] of moving)
      void found.then(() => socket.data.session.actor.chain.includes(below) && cut([socket]));
  }

  /** Expiry raises no event, and events may be missed. */
  function cutExpired(): void {
    const open = sockets.sessionIds();
    if (open.length === 0) return;
    liveSessions(services, open).then(
      (live) => ended({ ids: open.filter((sessionId) => !live.has(sessionId)) }),
      (error: unknown) => logger.error({ error }, 'expired sessions could not be checked'),
    );
  }

  async function checkSession(socket: LiveSocket): Promise<void> {
    try {
      socket.data.session = await authenticate(socket.data.token);
    } catch (error) {
      if (error instanceof CallError && error.status === 401) cut([socket]);
      // Database down: the next use of the socket checks again.
    }
  }

  const moved = ({ accountId }: { accountId: string }): void => {
    for (const socket of sockets.below(accountId)) {
      const found = checkSession(socket).finally(() => moving.get(socket) === found && moving.delete(socket));
      moving.set(socket, found);
    }
  };
  const sweep = setInterval(cutExpired, SWEEP_EVERY_MS).unref();
  services.events.on('sessionsEnded', ended);
  services.events.on('sessionsMissed', cutExpired);
  services.events.on('accountMoved', moved);
  return () => {
    clearInterval(sweep);
    services.events.off('sessionsEnded', ended);
    services.events.off('sessionsMissed', cutExpired);
    services.events.off('accountMoved', moved);
  };
}

function cut(sockets: readonly LiveSocket[]): void {
  for (const socket of sockets) socket.disconnect(true);
}
