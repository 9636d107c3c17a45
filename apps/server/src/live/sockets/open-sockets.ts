import type { Presence } from '../../auth/sessions/presence.ts';
import { createSeats, type SeatRule, type Seats } from '../../platform/cluster/seats.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { requireAddress } from '../../platform/http/limits/admit-call.ts';
import { refuse, type LiveSocket } from './live-socket.ts';
import type { Logger } from 'pino';
import { liveSessions, type Session } from '../../auth/sessions/sessions.ts';
import type { EndedSessions, Services } from '../../platform/services.ts';

/** Tabs per session. */
const OF_SESSION: SeatRule = { most: 6, goes: 'oldest' };
/** A key may serve many machines. */
const OF_KEY: SeatRule = { most: 64, goes: 'oldest' };

export interface OpenSockets {
  add(socket: LiveSocket): void;
  /** Separate from sessions: the key is judged on every request. */
  addProgram(socket: LiveSocket): void;
  sessionIds(): readonly string[];
  of(sessionIds: readonly string[]): readonly LiveSocket[];
  below(accountId: string): readonly LiveSocket[];
}

export function createOpenSockets(
  presence: Pick<Presence, 'opened' | 'closed'>,
  seats: Seats = createSeats(),
): OpenSockets {
  const sessions = new Map<string, Set<LiveSocket>>();
  return {
    add(socket) {
      const { id: sessionId } = socket.data.session;
      presence.opened(sessionId);
      const tabs = sessions.get(sessionId) ?? new Set();
      sessions.set(sessionId, tabs.add(socket));
      socket.on('disconnect', () => {
        tabs.delete(socket);
        if (tabs.size > 0 || sessions.get(sessionId) !== tabs) return;
        sessions.delete(sessionId);
        presence.closed(sessionId);
      });
      takeSeat(seats, `session ${sessionId}`, OF_SESSION, socket);
    },
    addProgram: (socket) => takeSeat(seats, `key ${socket.data.token}`, OF_KEY, socket),
    sessionIds: () => [...sessions.keys()],
    of: (sessionIds) => sessionIds.flatMap((sessionId) => [...(sessions.get(sessionId) ?? [])]),
    below: (accountId) =>
      [...sessions.values()].flatMap((tabs) =>
        [...tabs].filter(({ data }) => data.session.actor.chain.includes(accountId)),
      ),
  };
}

function takeSeat(seats: Seats, group: string, rule: SeatRule, socket: LiveSocket): void {
  const leave = seats.take(group, rule, () => {
    refuse(socket, new CallError('TOO_MANY_SOCKETS'));
    socket.disconnect(true);
  });
  socket.on('disconnect', leave);
}

export const SWEEP_EVERY_MS = 15_000;

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
      const { token, address } = socket.data;
      socket.data.session = await authenticate(token);
      requireAddress(socket.data.session.actor, address.ip);
    } catch (error) {
      if (error instanceof CallError && [401, 403].includes(error.status)) cut([socket]);
      // Without a database, the next use of the socket checks again.
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
