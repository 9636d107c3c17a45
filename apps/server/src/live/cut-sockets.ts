import type { Logger } from 'pino';
import { liveSessions } from '../auth/sessions.ts';
import type { Session } from '../auth/sessions.ts';
import type { EndedSessions, Services } from '../services.ts';
import type { OpenSockets } from './open-sockets.ts';

/** How often sockets are looked through for sessions that have run out. */
export const SWEEP_EVERY_MS = 15_000;

/** Cuts open sockets off whose sessions have ended, and keeps those of accounts that move as what they are then. Gives what stops it. */
export function cutEndedSockets(
  services: Services,
  sockets: OpenSockets,
  authenticate: (token: string) => Session | Promise<Session>,
  logger: Logger,
): () => void {
  function ended(which: EndedSessions): void {
    for (const socket of 'ids' in which ? sockets.of(which.ids) : sockets.below(which.below)) socket.disconnect(true);
  }

  /** A session also ends by time alone, which no event tells, or while this server hears of nothing. */
  function cutExpired(): void {
    const open = sockets.sessionIds();
    if (open.length === 0) return;
    liveSessions(services, open).then(
      (live) => ended({ ids: open.filter((sessionId) => !live.has(sessionId)) }),
      (error: unknown) => logger.error({ error }, 'looking for expired sessions failed'),
    );
  }

  /** An account that moves has others above it: its sockets are theirs from now on. */
  async function accountMoved(accountId: string): Promise<void> {
    for (const { data } of sockets.below(accountId))
      try {
        data.session = await authenticate(data.token);
      } catch {
        // It has ended, which cuts the socket, or is looked up again when it asks for something.
      }
  }

  const moved = ({ accountId }: { accountId: string }): void => void accountMoved(accountId);
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
