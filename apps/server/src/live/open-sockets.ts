import type { Presence } from '../auth/presence.ts';
import { CallError } from '../http/http-errors.ts';
import { refuse } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';

/** Sockets of one session: its tabs with a panel in them. One more closes the oldest. */
const SOCKETS_PER_SESSION = 6;

/** The sockets that are open, by their sessions. */
export interface OpenSockets {
  /** Keeps a socket that has signed in for as long as it is open. */
  add(socket: LiveSocket): void;
  sessionIds(): readonly string[];
  of(sessionIds: readonly string[]): readonly LiveSocket[];
  /** Those of an account and of all below it. */
  below(accountId: string): readonly LiveSocket[];
}

/** Makes it. `presence` is told which sessions have a socket open. */
export function createOpenSockets(presence: Pick<Presence, 'opened' | 'closed'>): OpenSockets {
  /** The oldest of each session first. */
  const sessions = new Map<string, Set<LiveSocket>>();
  return {
    add(socket) {
      const { id: sessionId } = socket.data.session;
      const tabs = sessions.get(sessionId) ?? new Set();
      sessions.set(sessionId, tabs.add(socket));
      presence.opened(sessionId);
      socket.on('disconnect', () => {
        tabs.delete(socket);
        if (tabs.size > 0 || sessions.get(sessionId) !== tabs) return;
        sessions.delete(sessionId);
        presence.closed(sessionId);
      });
      if (tabs.size > SOCKETS_PER_SESSION) closeOldest(tabs);
    },
    sessionIds: () => [...sessions.keys()],
    of: (sessionIds) => sessionIds.flatMap((sessionId) => [...(sessions.get(sessionId) ?? [])]),
    below: (accountId) =>
      [...sessions.values()].flatMap((tabs) =>
        [...tabs].filter(({ data }) => data.session.actor.chain.includes(accountId)),
      ),
  };
}

function closeOldest(tabs: Set<LiveSocket>): void {
  const [oldest] = tabs;
  tabs.delete(oldest!);
  refuse(oldest!, new CallError('TOO_MANY_SOCKETS'));
  oldest!.disconnect(true);
}
