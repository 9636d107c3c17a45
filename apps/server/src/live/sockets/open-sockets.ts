import type { Presence } from '../../auth/sessions/presence.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { refuse } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';

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
