import { passwordsWaiting } from '../../auth/passwords/password.ts';
import type { HostState } from '../../platform/db/connection/read-cluster.ts';
import type { PoolUse } from '../../platform/db/database.ts';
import type { LongestWaits } from '../../draws/schedule/due-draws.sql.ts';
import { readDisk } from '../../platform/disks.ts';
import type { StoredVerdict } from '../../liability/verdicts.ts';
import type { SealGrade } from '@drawhouse/contract/seals/seals';
import type { Measures } from './measures.ts';

export interface MetricSources {
  readonly version: string;
  readonly now: () => Date;
  readonly pools: () => readonly PoolUse[];
  readonly betsWaiting: () => number;
  readonly sockets: () => { readonly connections: number; readonly signedIn: number };
  readonly turnedAway: () => Iterable<readonly [why: string, count: number]>;
  readonly takesWrites: () => Promise<boolean>;
  readonly hosts: () => Promise<readonly HostState[]>;
  readonly longestWaits: () => Promise<LongestWaits>;
  readonly verdicts: () => Promise<Readonly<Record<string, StoredVerdict | undefined>>>;
  readonly seals: () => Promise<SealGrade | null>;
  readonly backups: {
    readonly isScheduled: boolean;
    troubles(): ReadonlyMap<string, { readonly code: 'BACKUP_FAILED' | 'BACKUP_OVERDUE' }>;
    lastTaken(): ReadonlyMap<string, number | undefined>;
  };
  readonly folders: Readonly<Record<string, string>>;
  readonly clock: { stepCount(): number; behindUntil(): Date | undefined };
}

export type Reading = readonly [value: number, labels?: Readonly<Record<string, string>>];

/** Read on demand. Counters never decrease while the server runs. */
export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly kind: 'gauge' | 'counter';
  readonly labels?: readonly string[];
  readonly read: () => readonly Reading[] | Promise<readonly Reading[]>;
  readonly unknown?: readonly Reading[];
}

const secondsOf = (at: Date | string): number => new Date(at).getTime() / 1_000;
const flag = (isSo: boolean): number => (isSo ? 1 : 0);

/** Contains nothing about accounts or credit. */
export function metricDefinitions(measures: Measures, sources: MetricSources): readonly MetricDefinition[] {
  return [
    ...ofWork(measures, sources),
    ...ofDatabase(sources),
    ...ofProofs(sources),
    ...ofBackups(sources),
    ...ofMachine(sources),
  ];
}

function ofWork(measures: Measures, sources: MetricSources): MetricDefinition[] {
  return [
    {
      name: 'drawhouse_http_requests_total',
      help: 'Calls answered, by route and status. SOCKET: calls by live sockets.',
      kind: 'counter',
      labels: ['method', 'route', 'status'],
      read: () =>
        [...measures.calls()].flatMap(({ method, route, statuses }) =>
          [...statuses].map(([status, count]) => [count, { method, route, status: String(status) }] as const),
        ),
    },
    {
      name: 'drawhouse_bets_total',
      help: 'Bets answered: taken (a repeated bet is answered with its ticket again), or refused by code.',
      kind: 'counter',
      labels: ['outcome'],
      read: () => [...measures.betOutcomes()].map(([outcome, count]) => [count, { outcome }]),
    },
    {
      name: 'drawhouse_bets_waiting',
      help: 'Bets without an answer yet.',
      kind: 'gauge',
      read: () => [[sources.betsWaiting()]],
    },
    {
      name: 'drawhouse_passwords_waiting',
      help: 'Passwords waiting to be hashed.',
      kind: 'gauge',
      read: () => [[passwordsWaiting()]],
    },
    {
      name: 'drawhouse_sockets',
      help: 'Open live connections, and signed-in sockets on them.',
      kind: 'gauge',
      labels: ['state'],
      read() {
        const { connections, signedIn } = sources.sockets();
        return [
          [connections, { state: 'open' }],
          [signedIn, { state: 'signed_in' }],
        ];
      },
    },
    {
      name: 'drawhouse_connections_refused_total',
      help: 'Connections and live requests refused or cut, by reason.',
      kind: 'counter',
      labels: ['reason'],
      read: () => [...sources.turnedAway()].map(([reason, count]) => [count, { reason }]),
    },
    {
      name: 'drawhouse_draw_overdue_seconds',
      help: 'Delay of the draw that has waited longest for its close or result (draw), or for payment (settle). 0 if none is late.',
      kind: 'gauge',
      labels: ['step'],
      async read() {
        const { draw, payment } = await sources.longestWaits();
        const late = (since: Date | null): number =>
          since ? Math.max(0, secondsOf(sources.now()) - secondsOf(since)) : 0;
        return [
          [late(draw), { step: 'draw' }],
          [late(payment), { step: 'settle' }],
        ];
      },
    },
  ];
}

function ofDatabase({ pools, takesWrites, hosts }: MetricSources): MetricDefinition[] {
  const ofPools = (read: (use: PoolUse) => readonly Reading[]) => () => pools().flatMap(read);
  return [
    {
      name: 'drawhouse_database_up',
      help: '1 if the database answers.',
      kind: 'gauge',
      read: async () => [[flag((await takesWrites()) !== undefined)]],
      unknown: [[0]],
    },
    {
      name: 'drawhouse_database_writable',
      help: '1 if the database accepts writes.',
      kind: 'gauge',
      read: async () => [[flag(await takesWrites())]],
      unknown: [[0]],
    },
    {
      name: 'drawhouse_database_connections',
      help: 'Database connections used and idle, by purpose.',
      kind: 'gauge',
      labels: ['pool', 'state'],
      read: ofPools(({ pool, used, idle }) => [
        [used, { pool, state: 'used' }],
        [idle, { pool, state: 'idle' }],
      ]),
    },
    {
      name: 'drawhouse_database_connections_max',
      help: 'Maximum database connections, by purpose.',
      kind: 'gauge',
      labels: ['pool'],
      read: ofPools(({ pool, max }) => [[max, { pool }]]),
    },
    {
      name: 'drawhouse_database_waiting',
      help: 'Requests waiting for a database connection, by purpose.',
      kind: 'gauge',
      labels: ['pool'],
      read: ofPools(({ pool, waiting }) => [[waiting, { pool }]]),
    },
    {
      name: 'drawhouse_database_hosts',
      help: 'Hosts of DATABASE_URL, by role. None for a single host.',
      kind: 'gauge',
      labels: ['role'],
      async read() {
        const all = await hosts();
        const roles = all.length === 0 ? [] : (['primary', 'standby', 'unreachable'] as const);
        return roles.map((role) => [all.filter((host) => host.role === role).length, { role }]);
      },
    },
    {
      name: 'drawhouse_database_standby_lag_bytes',
      help: 'WAL that a standby has not replayed.',
      kind: 'gauge',
      labels: ['host'],
      read: async () =>
        (await hosts()).flatMap(({ host, behindBytes }) =>
          behindBytes === undefined ? [] : [[behindBytes, { host }]],
        ),
    },
  ];
}

function ofProofs({ verdicts, seals }: MetricSources): MetricDefinition[] {
  const ofVerdicts = (value: (verdict: StoredVerdict) => number) => async () =>
    Object.values(await verdicts()).flatMap((one) => (one ? [[value(one), { scope: one.scope }] as const] : []));
  const ofSeals = (read: (grade: SealGrade) => readonly Reading[]) => async () => {
    const grade = await seals();
    return grade ? read(grade) : [];
  };
  const gauge = 'gauge' as const;
  return [
    {
      name: 'drawhouse_audit_timestamp_seconds',
      help: 'Time of the last audit: full (npm run audit), or the daily balance check.',
      kind: gauge,
      labels: ['scope'],
      read: ofVerdicts(({ at }) => secondsOf(at)),
    },
    {
      name: 'drawhouse_audit_problems',
      help: 'Problems found by the last audit.',
      kind: gauge,
      labels: ['scope'],
      read: ofVerdicts(({ problems }) => problems),
    },
    {
      name: 'drawhouse_seal_timestamp_seconds',
      help: 'Time of the last sealing.',
      kind: gauge,
      read: ofSeals(({ sealedAt }) => [[secondsOf(sealedAt)]]),
    },
    {
      name: 'drawhouse_sealed_records',
      help: 'Records in the newest log of seals.',
      kind: gauge,
      read: ofSeals(({ size }) => [[size]]),
    },
    {
      name: 'drawhouse_seals_stopped',
      help: '1 if sealing is blocked on this server.',
      kind: gauge,
      read: ofSeals(({ isStopped }) => [[flag(isStopped)]]),
    },
    {
      name: 'drawhouse_seal_witnesses',
      help: 'Witnesses that have co-signed lately, and silent ones.',
      kind: gauge,
      labels: ['state'],
      read: ofSeals(({ witnesses }) => {
        const answering = witnesses.filter(({ last, isSilent }) => last !== null && !isSilent).length;
        return [
          [answering, { state: 'answering' }],
          [witnesses.filter(({ isSilent }) => isSilent).length, { state: 'silent' }],
        ];
      }),
    },
  ];
}

function ofBackups({ backups }: MetricSources): MetricDefinition[] {
  return [
    {
      name: 'drawhouse_backup_scheduled',
      help: '1 if backups are scheduled.',
      kind: 'gauge',
      read: () => [[flag(backups.isScheduled)]],
    },
    {
      name: 'drawhouse_backup_timestamp_seconds',
      help: 'Time of the last intact scheduled backup in the network where it is oldest. 0 if a network has none.',
      kind: 'gauge',
      read() {
        const taken = [...backups.lastTaken().values()];
        return taken.length === 0 ? [] : [[Math.min(...taken.map((ms) => ms ?? 0)) / 1_000]];
      },
    },
    {
      name: 'drawhouse_backup_troubles',
      help: 'Networks whose scheduled backups have failed or are overdue, as last seen by this server.',
      kind: 'gauge',
      labels: ['kind'],
      read() {
        const codes = [...backups.troubles().values()].map(({ code }) => code);
        return [
          [codes.filter((code) => code === 'BACKUP_FAILED').length, { kind: 'failed' }],
          [codes.filter((code) => code === 'BACKUP_OVERDUE').length, { kind: 'overdue' }],
        ];
      },
    },
  ];
}

function ofMachine({ version, folders, clock }: MetricSources): MetricDefinition[] {
  const ofDisks = (value: (disk: Awaited<ReturnType<typeof readDisk>>) => number) => async () => {
    const readings = Object.entries(folders).map(async ([folder, path]): Promise<Reading[]> => {
      // Folders are created on first use.
      const disk = await readDisk(path).catch(() => undefined);
      return disk ? [[value(disk), { folder }]] : [];
    });
    return (await Promise.all(readings)).flat();
  };
  return [
    {
      name: 'drawhouse_build_info',
      help: 'Always 1. The label is the running version.',
      kind: 'gauge',
      labels: ['version'],
      read: () => [[1, { version }]],
    },
    {
      name: 'drawhouse_disk_free_bytes',
      help: 'Free space for the server on the disk of a folder.',
      kind: 'gauge',
      labels: ['folder'],
      read: ofDisks(({ free }) => free),
    },
    {
      name: 'drawhouse_disk_size_bytes',
      help: 'Size of the disk of a folder.',
      kind: 'gauge',
      labels: ['folder'],
      read: ofDisks(({ size }) => size),
    },
    {
      name: 'drawhouse_clock_steps_total',
      help: "How often the machine's clock went back by a second or more, or forward by two or more.",
      kind: 'counter',
      read: () => [[clock.stepCount()]],
    },
    {
      name: 'drawhouse_clock_behind',
      help: '1 if the clock went back, so draws and bets wait.',
      kind: 'gauge',
      read: () => [[flag(clock.behindUntil() !== undefined)]],
    },
  ];
}
