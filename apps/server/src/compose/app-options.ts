import type { ErrorCode } from '@drawhouse/contract/core/errors';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Route } from '@drawhouse/contract/core/route';
import type { Weekday } from '@drawhouse/rules/records/week-balance';
import type { Logger } from 'pino';
import type { Team } from '../platform/cluster/team.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Timeouts } from '../platform/db/connection/timeouts.ts';
import type { HealthSources } from '../operations/health/server-health.ts';
import type { HttpLimits } from '../platform/http/limits/http-limits.ts';
import type { MetricSources } from '../operations/metrics/metric-definitions.ts';
import type { BeaconSettings, NotifySettings } from '../config/outside-services.ts';
import type { BackupParts, BackupSettings } from '../backup/take/own-backups.ts';
import type { Directory } from '../platform/services.ts';
import type { Seals } from '../transparency/transparency.ts';
import type { PieceSizes } from '../settlement/pay/settle-in-pieces.ts';

export interface AppOptions {
  readonly db: Database;
  readonly standby?: Database | undefined;
  readonly clock: Clock;
  readonly seedKey: string;
  readonly timeZone: string;
  readonly firstWeekday?: Weekday | undefined;
  readonly logger: Logger;
  readonly trustProxy: boolean;
  /** Retailer username. Undefined: sign-up is refused. */
  readonly signupRetailer?: string | undefined;
  readonly superadminByToken?: boolean | undefined;
  readonly superadminFactor?: boolean | undefined;
  readonly publicUrl?: string | undefined;
  readonly limits?: HttpLimits | undefined;
  /** Size, waiting time, and hand-over time for a call with many bets. */
  readonly betBatchMax?: number | undefined;
  readonly betWaitMaxMs?: number | undefined;
  readonly betHandOverMs?: number | undefined;
  readonly drawPatience?: Timeouts | undefined;
  readonly pieceSizes?: Partial<PieceSizes> | undefined;
  readonly beacons?: BeaconSettings | undefined;
  /** A route failed with a code missing from its contract. Default: logs it. */
  readonly undeclared?: ((route: Route, code: ErrorCode) => void) | undefined;
  readonly backup: BackupSettings;
  readonly backupParts?: Partial<Pick<BackupParts, 'restoring' | 'archiveOf' | 'transferring' | 'disk'>> | undefined;
  /** `RETENTION_DAYS`. Default 0. */
  readonly retentionDays?: number | undefined;
  readonly directory?: Directory | undefined;
  readonly cellUrl?: string | undefined;
  readonly seals?: (Pick<Seals, 'served' | 'newest' | 'grade'> & Partial<Pick<Seals, 'look'>>) | undefined;
  readonly metrics?: MetricsOptions | undefined;
  readonly version: string;
  readonly team?: Team | undefined;
  readonly notices?: (() => readonly FoundNotice[] | Promise<readonly FoundNotice[]>) | undefined;
  /** Undefined: no health checks. */
  readonly watched?: (HealthSources & { readonly webhook: NotifySettings | undefined }) | undefined;
}

export interface MetricsOptions extends Pick<MetricSources, 'folders' | 'clock' | 'hosts'> {
  readonly token: string | undefined;
}
