import type { AppOptions } from './app-options.ts';
import type { BackupSchedule } from '../backup/keep/backup-schedule.ts';
import { oldestDue } from '../draws/schedule/due-draws.sql.ts';
import { lastVerdicts } from '../liability/verdicts.ts';
import type { RejectedConnections } from '../platform/http/limits/connections.ts';
import type { LiveSockets } from '../live/sockets/live-sockets.ts';
import type { Measures } from '../operations/metrics/measures.ts';
import type { MetricSources } from '../operations/metrics/metric-definitions.ts';
import { createMetrics, type Metrics } from '../operations/metrics/metrics.ts';
import type { Services } from '../platform/services.ts';
import type { BetLanes } from '../tickets/place/lanes/bet-lanes.ts';

interface MeasuredParts {
  readonly services: Services;
  readonly lanes: Pick<BetLanes, 'waiting'>;
  readonly sockets: Pick<LiveSockets, 'count'>;
  readonly schedule: BackupSchedule;
  readonly turnedAway: Pick<RejectedConnections, 'counts'>;
}

export function measureApp(
  measures: Measures | undefined,
  { services: { db, clock, team, directory }, lanes, sockets, schedule, turnedAway }: MeasuredParts,
  { metrics, version, seals, backup }: AppOptions,
): Metrics | undefined {
  if (!measures || !metrics) return undefined;
  const { folders, hosts, clock: steps } = metrics;
  const sources: MetricSources = {
    version,
    folders,
    hosts,
    clock: steps,
    now: () => clock.now(),
    pools: db.pools,
    betsWaiting: lanes.waiting,
    sockets: sockets.count,
    turnedAway: turnedAway.counts,
    takesWrites: () => db.takesWrites(),
    longestWaits: () => oldestDue(db, clock.now()),
    verdicts: () => lastVerdicts(db),
    seals: async () => (await seals?.grade()) ?? null,
    backups: { isScheduled: backup.plan !== undefined, troubles: schedule.troubles, lastTaken: schedule.lastTaken },
  };
  return createMetrics(measures, sources, { team, cell: directory?.cell });
}
