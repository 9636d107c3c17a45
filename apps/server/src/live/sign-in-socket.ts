import type { Session } from '../auth/sessions.ts';
import type { Budgets } from '../http/http-limits.ts';
import type { LiveSocket, SocketData } from './live-socket.ts';
import type { SocketGate } from './socket-gate.ts';

/** What signs sockets in. */
interface SignInMeans {
  readonly gate: Pick<SocketGate, 'requireSignIn' | 'admitPlayer'>;
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly budgets: Pick<Budgets, 'sessionFound'>;
}

/** Signs a socket in by the token that it brings. Gives what the server knows of it then; throws where it may not, or its token is none. */
export async function signInSocket(
  { gate, authenticate, budgets }: SignInMeans,
  socket: LiveSocket,
): Promise<SocketData> {
  const address = gate.requireSignIn(socket);
  const given: unknown = socket.handshake.auth['token'];
  const token = typeof given === 'string' ? given : '';
  const session = await authenticate(token);
  budgets.sessionFound(token);
  if (session.actor.role === 'user') gate.admitPlayer(socket);
  return { token, session, address, behindSinceMs: undefined, wholeAtMs: -Infinity };
}
