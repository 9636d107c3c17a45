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
  readonly labels: readonly string[];
  readonly read: () => readonly Reading[] | Promise<readonly Reading[]>;
  readonly unknown: readonly Reading[];
}

const secondsOf = (at: Date | string): number => new Date(at).getTime() / 1_000;

function metric(kind: MetricDefinition['kind']) {
  return (
    name: string,
    help: string,
    labels: MetricDefinition['labels'],
    read: MetricDefinition['read'],
    unknown: readonly Reading[] = [],
  ): MetricDefinition => ({ kind, name, help, labels, read, unknown });
}
const gauge = metric('gauge');
const counter = metric('counter');

const DOWN: readonly Reading[] = [[0]];
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
    counter(
      'drawhouse_http_requests_total',
      'Calls answered, by route and status. SOCKET: calls by live sockets.',
      ['method', 'route', 'status'],
      () =>
        [...measures.calls()].flatMap(({ method, route, statuses }) =>
          [...statuses].map(([status, count]) => [count, { method, route, status: String(status) }] as const),
        ),
    ),
    counter(
      'drawhouse_bets_total',
      'Bets answered: taken (a repeated bet is answered with its ticket again), or refused by code.',
      ['outcome'],
      () => [...measures.betOutcomes()].map(([outcome, count]) => [count, { outcome }]),
    ),
    gauge('drawhouse_bets_waiting', 'Bets without an answer yet.', [], () => [[sources.betsWaiting()]]),
    gauge('drawhouse_passwords_waiting', 'Passwords waiting to be hashed.', [], () => [[passwordsWaiting()]]),
    gauge('drawhouse_sockets', 'Open live connections, and signed-in sockets on them.', ['state'], () => {
      const { connections, signedIn } = sources.sockets();
      return [
        [connections, { state: 'open' }],
        [signedIn, { state: 'signed_in' }],
      ];
    }),
    counter(
      'drawhouse_connections_refused_total',
      'Connections and live requests refused or cut, by reason.',
      ['reason'],
      () => [...sources.turnedAway()].map(([reason, count]) => [count, { reason }]),
    ),
    gauge(
      'drawhouse_draw_overdue_seconds',
      'Delay of the draw that has waited longest for its close or result (draw), or for payment (settle). 0 if none is late.',
      ['step'],
      async () => {
        const { draw, payment } = await sources.longestWaits();
        const late = (since: Date | null): number =>
          since ? Math.max(0, secondsOf(sources.now()) - secondsOf(since)) : 0;
        return [
          [late(draw), { step: 'draw' }],
          [late(payment), { step: 'settle' }],
        ];
      },
    ),
  ];
}

function ofDatabase({ pools, takesWrites, hosts }: MetricSources): MetricDefinition[] {
  const ofPools = (read: (use: PoolUse) => readonly Reading[]) => () => pools().flatMap(read);
  return [
    gauge(
      'drawhouse_database_up',
      '1 if the database answers.',
      [],
      async () => [[flag((await takesWrites()) !== undefined)]],
      DOWN,
    ),
    gauge(
      'drawhouse_database_writable',
      '1 if the database accepts writes.',
      [],
      async () => [[flag(await takesWrites())]],
      DOWN,
    ),
    gauge(
      'drawhouse_database_connections',
      'Database connections used and idle, by purpose.',
      ['pool', 'state'],
      ofPools(({ pool, used, idle }) => [
        [used, { pool, state: 'used' }],
        [idle, { pool, state: 'idle' }],
      ]),
    ),
    gauge(
      'drawhouse_database_connections_max',
      'Maximum database connections, by purpose.',
      ['pool'],
      ofPools(({ pool, max }) => [[max, { pool }]]),
    ),
    gauge(
      'drawhouse_database_waiting',
      'Requests waiting for a database connection, by purpose.',
      ['pool'],
      ofPools(({ pool, waiting }) => [[waiting, { pool }]]),
    ),
    gauge('drawhouse_database_hosts', 'Hosts of DATABASE_URL, by role. None for a single host.', ['role'], async () => {
      const all = await hosts();
      const roles = all.length === 0 ? [] : (['primary', 'standby', 'unreachable'] as const);
      return roles.map((role) => [all.filter((host) => host.role === role).length, { role }]);
    }),
    gauge('drawhouse_database_standby_lag_bytes', 'WAL that a standby has not replayed.', ['host'], async () =>
      (await hosts()).flatMap(({ host, behindBytes }) => (behindBytes === undefined ? [] : [[behindBytes, { host }]])),
    ),
  ];
}

function ofProofs({ verdicts, seals }: MetricSources): MetricDefinition[] {
  const ofVerdicts = (value: (verdict: StoredVerdict) => number) => async () =>
    Object.values(await verdicts()).flatMap((one) => (one ? [[value(one), { scope: one.scope }] as const] : []));
  const ofSeals = (read: (grade: SealGrade) => readonly Reading[]) => async () => {
    const grade = await seals();
    return grade ? read(grade) : [];
  };
  return [
    gauge(
      'drawhouse_audit_timestamp_seconds',
      'Time of the last audit: full (npm run audit), or the daily balance check.',
      ['scope'],
      ofVerdicts(({ at }) => secondsOf(at)),
    ),
    gauge(
      'drawhouse_audit_problems',
      'Problems found by the last audit.',
      ['scope'],
      ofVerdicts(({ problems }) => problems),
    ),
    gauge(
      'drawhouse_seal_timestamp_seconds',
      'Time of the last sealing.',
      [],
      ofSeals(({ sealedAt }) => [[secondsOf(sealedAt)]]),
    ),
    gauge(
      'drawhouse_sealed_records',
      'Records in the newest log of seals.',
      [],
      ofSeals(({ size }) => [[size]]),
    ),
    gauge(
      'drawhouse_seals_stopped',
      '1 if sealing is blocked on this server.',
      [],
      ofSeals(({ isStopped }) => [[flag(isStopped)]]),
    ),
    gauge(
      'drawhouse_seal_witnesses',
      'Witnesses that have co-signed lately, and silent ones.',
      ['state'],
      ofSeals(({ witnesses }) => {
        const answering = witnesses.filter(({ last, isSilent }) => last !== null && !isSilent).length;
        return [
          [answering, { state: 'answering' }],
          [witnesses.filter(({ isSilent }) => isSilent).length, { state: 'silent' }],
        ];
      }),
    ),
  ];
}

function ofBackups({ backups }: MetricSources): MetricDefinition[] {
  return [
    gauge('drawhouse_backup_scheduled', '1 if backups are scheduled.', [], () => [[flag(backups.isScheduled)]]),
    gauge(
      'drawhouse_backup_timestamp_seconds',
      'Time of the last intact scheduled backup in the network where it is oldest. 0 if a network has none.',
      [],
      () => {
        const taken = [...backups.lastTaken().values()];
        return taken.length === 0 ? [] : [[Math.min(...taken.map((ms) => ms ?? 0)) / 1_000]];
      },
    ),
    gauge(
      'drawhouse_backup_troubles',
      'Networks whose scheduled backups have failed or are overdue, as last seen by this server.',
      ['kind'],
      () => {
        const codes = [...backups.troubles().values()].map(({ code }) => code);
        return [
          [codes.filter((code) => code === 'BACKUP_FAILED').length, { kind: 'failed' }],
          [codes.filter((code) => code === 'BACKUP_OVERDUE').length, { kind: 'overdue' }],
        ];
      },
    ),
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
    gauge('drawhouse_build_info', 'Always 1. The label is the running version.', ['version'], () => [[1, { version }]]),
    gauge(
      'drawhouse_disk_free_bytes',
      'Free space for the server on the disk of a folder.',
      ['folder'],
      ofDisks(({ free }) => free),
    ),
    gauge(
      'drawhouse_disk_size_bytes',
      'Size of the disk of a folder.',
      ['folder'],
      ofDisks(({ size }) => size),
    ),
    counter(
      'drawhouse_clock_steps_total',
      "How often the machine's clock went back by a second or more, or forward by two or more.",
      [],
      () => [[clock.stepCount()]],
    ),
    gauge('drawhouse_clock_behind', '1 if the clock went back, so draws and bets wait.', [], () => [
      [flag(clock.behindUntil() !== undefined)],
    ]),
  ];
}
