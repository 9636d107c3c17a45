import type { ErrorCode } from '@drawhouse/contract/frame/errors';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Route } from '@drawhouse/contract/frame/route';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { Patience } from './db/patience.ts';
import type { HealthSources } from './health/server-health.ts';
import type { HttpLimits } from './http/http-limits.ts';
import type { FigureSources } from './metrics/figures.ts';
import type { BeaconSettings } from './beacon-settings.ts';
import type { NotifySettings } from './notify-settings.ts';
import type { BackupParts, BackupSettings } from './backup/own-backups.ts';
import type { Seals } from './transparency/transparency.ts';
import type { PieceSizes } from './settlement/settle-in-pieces.ts';

/** What the application is given from outside. */
export interface AppOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly seedKey: string;
  readonly timeZone: string;
  readonly logger: Logger;
  readonly trustProxy: boolean;
  /** Username of the retailer that signups belong to; none: signing up is refused. */
  readonly signupRetailer?: string | undefined;
  /** `SUPERADMIN_BY_TOKEN`; true where it is left out. */
  readonly superadminByToken?: boolean | undefined;
  /** What one session and one address may ask for; the usual where it is left out. */
  readonly limits?: HttpLimits | undefined;
  /** The most bets that are taken in one transaction, how long one may wait for that, and how long the many of one call are handed over; the usual where they are left out. */
  readonly betBatchMax?: number | undefined;
  readonly betWaitMaxMs?: number | undefined;
  readonly betHandOverMs?: number | undefined;
  /** How long a step of a draw with tickets waits for the database; the usual where it is left out. */
  readonly drawPatience?: Patience | undefined;
  /** From how many tickets on a draw is settled in pieces, and how large those are; the usual where it is left out. */
  readonly pieceSizes?: Partial<PieceSizes> | undefined;
  /** The beacons that games may use; none if left out. */
  readonly beacons?: BeaconSettings | undefined;
  /** Hears of a route that fails in a way which its contract does not list; it is logged where this is left out. */
  readonly undeclared?: ((route: Route, code: ErrorCode) => void) | undefined;
  /** What works on whole networks: where the database is now, and where backups lie. */
  readonly backup: BackupSettings;
  /** What tests put in the place of parts of the backups. */
  readonly backupParts?: Partial<Pick<BackupParts, 'restoring' | 'archiveOf' | 'transferring' | 'disk'>> | undefined;
  /** `RETENTION_DAYS`: so many days before today are never cleared; none where it is left out. */
  readonly retentionDays?: number | undefined;
  /** Where the seals lie that are served; none are where it is left out. */
  readonly seals?: (Pick<Seals, 'served' | 'newest' | 'grade'> & Partial<Pick<Seals, 'look'>>) | undefined;
  /** What the figures of the server are read from beside its own parts, and who may read them on its port; left out, nothing is measured. */
  readonly metrics?: MetricsOptions | undefined;
  readonly version: string;
  /** What the superadmin ought to know at this moment of how the server is set up and runs. */
  readonly notices?: (() => readonly FoundNotice[] | Promise<readonly FoundNotice[]>) | undefined;
  /** What is looked at again and again, so that what is not well is noticed, and where that is sent; left out, nothing is. */
  readonly watched?: (HealthSources & { readonly webhook: NotifySettings | undefined }) | undefined;
}

/** What the figures of a server are made with. */
export interface MetricsOptions extends Pick<FigureSources, 'folders' | 'clock'> {
  /** What who reads them on the public port shows; without it they are not there. */
  readonly token: string | undefined;
}
