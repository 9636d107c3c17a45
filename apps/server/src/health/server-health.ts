import { networksBelow } from '../liability/tables-below.ts';
import { tableNotices } from './tables-below-zero.ts';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { ClockStep } from '../clock.ts';
import { longestWaits } from '../draws/due-draws.sql.ts';
import { firstVerdictAt, lastVerdicts } from '../liability/verdicts.ts';
import type { Services } from '../services.ts';
import { diskNotices, readDisks } from './disks.ts';
import type { LookAtDisk } from './disks.ts';
import { clockNotices, createRestartWatch } from './jumps.ts';
import { auditNotices } from './late-audits.ts';
import { createLateWatch } from './late-draws.ts';

/** What is looked at beside the database. */
export interface HealthSources {
  /** The folders whose disks are looked at, by the names of their settings. */
  readonly folders: Readonly<Record<string, string>>;
  /** In place of the disks themselves. */
  readonly lookAtDisk?: LookAtDisk;
  readonly lastClockStep: () => ClockStep | undefined;
  /** `AUDIT_EVERY_DAYS`. */
  readonly auditEveryDays: number;
}

/** What this server knows of how all goes on. */
export interface Health {
  /** Looks again. Throws DatabaseUnavailable where that is away: then all stays as it was. */
  look(): Promise<void>;
  /** What is not well, as of the last look. */
  notices(): readonly FoundNotice[];
}

/** Makes it; nothing is known before the first look. */
export function createHealth({ db, clock }: Pick<Services, 'db' | 'clock'>, sources: HealthSources): Health {
  const { folders, lookAtDisk, lastClockStep, auditEveryDays } = sources;
  const startedAt = clock.now();
  const lateOf = createLateWatch();
  const restartsOf = createRestartWatch();
  let known: readonly FoundNotice[] = [];
  return {
    notices: () => known,
    async look() {
      const now = clock.now();
      const verdicts = { ...(await lastVerdicts(db)), first: await firstVerdictAt(db) };
      known = [
        ...lateOf(await longestWaits(db, now), now),
        ...diskNotices(await readDisks(folders, lookAtDisk)),
        ...auditNotices(verdicts, { now, startedAt, wholeEveryDays: auditEveryDays }),
        ...tableNotices(await networksBelow(db, 'all')),
        ...clockNotices(lastClockStep(), now),
        ...(await restartsOf(db, now)),
      ];
    },
  };
}
