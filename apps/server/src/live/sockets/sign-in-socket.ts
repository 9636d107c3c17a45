import type { Session } from '../../auth/sessions/sessions.ts';
import { requireAddress, type Programs } from '../../platform/http/limits/admit-call.ts';
import type { CallError } from '../../platform/http/http-errors.ts';
import type { Budgets } from '../../platform/http/limits/http-limits.ts';
import type { LiveSocket, SocketData } from './live-socket.ts';
import { NO_EVENT, type SocketCalls } from './socket-calls.ts';
import type { SocketGate } from './socket-gate.ts';

export interface SignInMeans {
  readonly gate: Pick<SocketGate, 'requireSignIn' | 'admitBets'>;
  readonly authenticate: (token: string) => Session | Promise<Session>;
  readonly programs: Programs;
  readonly budgets: Pick<Budgets, 'sessionFound'>;
  readonly calls: Pick<SocketCalls, 'refused'>;
}

export async function signInSocket(
  { gate, authenticate, programs, budgets, calls }: SignInMeans,
  socket: LiveSocket,
): Promise<SocketData> {
  const address = gate.requireSignIn(socket);
  const tokenValue: unknown = socket.handshake.auth['token'];
  const token = typeof tokenValue === 'string' ? tokenValue : '';
  const data = {
    token,
    address,
    behindSinceMs: undefined,
    fullAtMs: -Infinity,
    noteRefusal: (error: CallError) => calls.refused(error, { event: NO_EVENT }),
  };
  if (programs.isApiKey(token)) {
    await programs.authenticateKey(token, address.ip);
    budgets.sessionFound(token);
    gate.admitBets(socket);
    return {
      ...data,
      isProgram: true,
      get session(): Session {
        throw new Error('An API key has no session.');
      },
    };
  }
  const session = await authenticate(token);
  requireAddress(session.actor, address.ip);
  budgets.sessionFound(token);
  if (session.actor.role === 'user') gate.admitBets(socket);
  return { ...data, isProgram: false, session };
}
