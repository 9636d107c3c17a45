import type { Presence } from '../auth/presence.ts';
import { CallError } from '../http/http-errors.ts';
import { refuse } from './live-socket.ts';
import type { LiveSocket } from './live-socket.ts';

/** Sockets of one session: its tabs with a panel in them. One more closes the oldest. */
const SOCKETS_PER_SESSION = 6;
/** Sockets of one API key: its program may run on many machines. One more closes the oldest. */
const SOCKETS_PER_KEY = 64;

/** The sockets that are open, by their sessions. */
export interface OpenSockets {
  /** Keeps a socket that has signed in for as long as it is open. */
  add(socket: LiveSocket): void;
  /** The same of a program's, which is none of those below: it asks for nothing that its key is not judged for again. */
  addProgram(socket: LiveSocket): void;
  sessionIds(): readonly string[];
  of(sessionIds: readonly string[]): readonly LiveSocket[];
  /** Those of an account and of all below it. */
  below(accountId: string): readonly LiveSocket[];
}

/** Makes it. `presence` is told which sessions have a socket open. */
export function createOpenSockets(presence: Pick<Presence, 'opened' | 'closed'>): OpenSockets {
  /** The oldest of each session first. */
  const sessions = new Map<string, Set<LiveSocket>>();
  const programs = new Map<string, Set<LiveSocket>>();
  return {
    add(socket) {
      const { id: sessionId } = socket.data.session;
      presence.opened(sessionId);
      keepAmong(sessions, sessionId, socket, {
        most: SOCKETS_PER_SESSION,
        noneLeft: () => presence.closed(sessionId),
      });
    },
    addProgram: (socket) =>
      keepAmong(programs, socket.data.token, socket, { most: SOCKETS_PER_KEY, noneLeft: () => {} }),
    sessionIds: () => [...sessions.keys()],
    of: (sessionIds) => sessionIds.flatMap((sessionId) => [...(sessions.get(sessionId) ?? [])]),
    below: (accountId) =>
      [...sessions.values()].flatMap((tabs) =>
        [...tabs].filter(({ data }) => data.session.actor.chain.includes(accountId)),
      ),
  };
}

/** Keeps a socket among those of the same key, for as long as it is open. */
function keepAmong(
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
