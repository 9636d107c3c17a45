import type { Presence } from '../auth/sessions/presence.ts';
import type { Refusals } from '../activity/refusals.ts';
import type { SessionCache } from '../auth/sessions/session-cache.ts';
import type { BackupParts } from '../backup/take/own-backups.ts';
import type { BetLanes } from '../tickets/place/lanes/bet-lanes.ts';
import type { DrawMachine } from '../settlement/draw-machine.ts';
import type { ServerWatch } from './watch-server.ts';
import type { LiveSockets } from '../live/sockets/live-sockets.ts';
import type { TaskRunner } from '../platform/time/task-runner.ts';
import type { CallSums } from '../platform/http/call-log.ts';
import type { RejectedConnections } from '../platform/http/limits/connections.ts';
import type { Logger } from 'pino';
import type { FastifyInstance } from 'fastify';

const CLOSE_GRACE_MS = 3_000; // for active requests at shutdown

interface Closing {
  readonly lanes: BetLanes;
  readonly machine: Pick<DrawMachine, 'idle'>;
  readonly refusals: Refusals;
  readonly sessions: SessionCache;
  readonly presence: Presence;
  readonly backupParts: Pick<BackupParts, 'work'>;
  readonly watching: ServerWatch;
}

interface Running {
  readonly http: FastifyInstance;
  readonly sockets: LiveSockets;
  readonly liveNews: readonly { close(): Promise<void> }[];
  readonly recurring: TaskRunner;
  readonly logger: Logger;
  readonly sums: CallSums;
  readonly turnedAway: RejectedConnections;
}

export async function closeAll(
  { lanes, machine, refusals, sessions, presence, backupParts, watching }: Closing,
  { http, sockets, liveNews, recurring, logger, sums, turnedAway }: Running,
): Promise<void> {
  const warn = (consequence: string) => (error: unknown) => logger.warn({ error }, consequence);
  // Browsers may keep idle connections open.
  watching.watch?.stop();
  const cut = setTimeout(() => http.server.closeAllConnections(), CLOSE_GRACE_MS);
  await Promise.all([http.close(), sockets.close(), backupParts.work.stop()]);
  clearTimeout(cut);
  await lanes.drain();
  await machine.idle();
  await recurring.stop();
  await refusals.sumUp('all').catch(warn('the last refused calls were not logged'));
  await Promise.all(liveNews.map((news) => news.close()));
  // Without a database, sessions expire a few seconds early.
  await sessions.write().catch(warn('the last uses of sessions were not saved'));
  await sessions.close();
  sums.report();
  turnedAway.report();
  await presence.close().catch(warn('its sockets count as present for another minute'));
}
