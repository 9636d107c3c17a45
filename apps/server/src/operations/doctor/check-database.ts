import type { Database } from '../../platform/db/database.ts';
import { compareRights, excessOf } from '../../platform/db/connection/granted-rights.ts';
import { CONNECTIONS_OF_ONE, PROBE_TIMEOUTS, withClient } from '../../platform/db/connection/dedicated-connections.ts';
import { MIGRATIONS, migrationsOf, readMigrations } from '../../platform/db/migrate.ts';
import { type HostState, readCluster, type UnreadSlot } from '../../platform/db/connection/read-cluster.ts';
import { roomText } from '../../platform/disks.ts';
import { fault, type Finding, ok, reasonOf, warning } from './findings.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const DAY_MS = 86_400_000;
/** Oldest supported PostgreSQL, and newest tested. */
const LEAST = 15;
const NEWEST_TRIED = 18;
/** End of life per the PostgreSQL project. */
const ENDS: Readonly<Record<number, string>> = {
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};
const SOON_MS = 180 * DAY_MS;
const MOST_NAMED = 8;

export function judgeVersion(version: string, now: Date, server: string): Finding {
  const major = Number.parseInt(version, 10);
  const versionText = `${server} is PostgreSQL ${version}`;
  const toNext = 'To upgrade, use a backup of each network, or pg_upgrade.';
  if (major < LEAST) return fault('postgresql', `${versionText}.`, `Drawhouse needs ${LEAST} or later. ${toNext}`);
  const end = ENDS[major];
  if (end !== undefined && now.getTime() > Date.parse(end))
    return warning('postgresql', `${versionText}, out of support since ${end}.`, toNext);
  if (end !== undefined && now.getTime() > Date.parse(end) - SOON_MS)
    return warning('postgresql', `${versionText}, supported until ${end}.`, toNext);
  if (major > NEWEST_TRIED)
    return warning(
      'postgresql',
      `${versionText}, newer than any version this release was tested with.`,
      `Upgrade Drawhouse, or use PostgreSQL ${NEWEST_TRIED}.`,
    );
  return ok('postgresql', `${versionText}.`);
}

export async function checkPostgres(db: Database, now: Date, server: string): Promise<Finding[]> {
  const [row] = await db.query<{
    version: string;
    recovering: boolean;
    fsync: string;
    pages: string;
  }>(
    sql`select current_setting('server_version') as version, pg_is_in_recovery() as recovering, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as pages`,
  );
  const { version, recovering, fsync, pages } = row!;
  const findings = [judgeVersion(version.split(' ')[0]!, now, server)];
  if (recovering)
    findings.push(
      fault(
        'postgresql',
        'It is a standby and refuses writes.',
        'Set DATABASE_URL to the primary, or promote this one.',
      ),
    );
  if (fsync === 'off' || pages === 'off')
    findings.push(
      fault(
        'postgresql',
        `${fsync === 'off' ? 'fsync' : 'full_page_writes'} is off: a power failure can lose bets and damage tables.`,
        "Turn it on in PostgreSQL's configuration, and restart PostgreSQL.",
      ),
    );
  return findings;
}

/** Checks addresses with several hosts: roles, lag, and if commits wait for a standby. */
export async function checkCluster(address: string): Promise<Finding[]> {
  return judgeCluster(await readCluster(address));
}

export function judgeCluster(hosts: readonly HostState[]): Finding[] {
  if (hosts.length === 0) return [];
  const primaries = hosts.filter(({ role }) => role === 'primary');
  const away = hosts.filter(({ role }) => role === 'unreachable');
  const findings = away.map(({ host, trouble }) =>
    warning(
      'postgresql',
      `${host} does not answer: ${trouble}.`,
      'Start it: a failover may need it. See patronictl list.',
    ),
  );
  if (primaries.length > 1)
    findings.push(
      fault(
        'postgresql',
        `${primaries.map(({ host }) => host).join(' and ')} are both primaries.`,
        'Stop the one that patronictl list does not name as leader, and reinitialize it as a standby.',
      ),
    );
  const [primary] = primaries;
  if (!primary) return findings;
  if (primary.waitsFor === '')
    findings.push(
      warning(
        'postgresql',
        'Commits wait for no standby, so a failover can lose acknowledged bets.',
        "Set synchronous_mode in Patroni's configuration. If it is set, no standby is connected: see patronictl list.",
      ),
    );
  const standbys = hosts.filter(({ role }) => role === 'standby');
  const states = standbys.map(({ host, behindBytes }) => `${host} is a standby, ${behindBytes} bytes behind`);
  return [...findings, ok('postgresql', `${[`${primary.host} is the primary`, ...states].join('; ')}.`)];
}

/** Reports can do without the standby of REPORTS_URL. */
export async function checkStandby(url: string): Promise<Finding[]> {
  try {
    const { rows } = await withClient(url, PROBE_TIMEOUTS, (client) =>
      client.query<{ isStandby: boolean }>(sql`select pg_is_in_recovery() as "isStandby"`),
    );
    return rows[0]!.isStandby
      ? [ok('postgresql', 'REPORTS_URL leads to a standby.')]
      : [
          warning(
            'postgresql',
            'REPORTS_URL leads to the primary.',
            'Name a standby, or several hosts with target_session_attrs=prefer-standby.',
          ),
        ];
  } catch (error) {
    return [
      warning(
        'postgresql',
        `The standby of REPORTS_URL can't be reached: ${reasonOf(error)}.`,
        'Reports are read from the primary until it is back.',
      ),
    ];
  }
}

export async function checkConnections(db: Database, processes: number): Promise<Finding[]> {
  const [row] = await db.query<{ most: number; used: number }>(
    sql`select current_setting('max_connections')::int as most,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const { most, used } = row!;
  const needed = processes * CONNECTIONS_OF_ONE;
  if (most < needed)
    return [
      warning(
        'postgresql',
        `It allows ${most} connections, but a server${processes > 1 ? ` with SERVERS=${processes}` : ''} may need ${needed}.`,
        processes > 1 ? 'Raise max_connections, or lower SERVERS.' : 'Raise max_connections.',
      ),
    ];
  if (used > most - 10)
    return [
      warning(
        'postgresql',
        `${used} of ${most} connections are in use.`,
        'Raise max_connections, or find out in pg_stat_activity who uses them.',
      ),
    ];
  return [];
}

/** A slot whose reader is gone for good fills the disk. */
export function slotFindings(slots: readonly UnreadSlot[]): Finding[] {
  return slots.map(({ name, keptBytes }) =>
    warning(
      'postgresql',
      `Nobody reads the replication slot ${name}, for which PostgreSQL keeps ${roomText(keptBytes)} of its log.`,
      `Start its standby again. If it is permanently gone: select pg_drop_replication_slot('${name}').`,
    ),
  );
}

export async function checkMigrations(address: string): Promise<Finding[]> {
  return [judgeMigrations(await readMigrations(address), await migrationsOf(MIGRATIONS))];
}

export function judgeMigrations(had: readonly string[], own: readonly string[]): Finding {
  if (had.length === 0)
    return warning('migrations', 'The database is empty.', 'Start the server to create the tables: npm start.');
  const strange = had.filter((name) => !own.includes(name));
  const newer = strange.filter((name) => name > own.at(-1)!);
  if (!had.includes(own[0]!))
    return fault(
      'migrations',
      'The database is from before the first release of Drawhouse.',
      'Use an empty DATA_DIR or another database.',
    );
  if (strange.length > 0 && newer.length === strange.length)
    return fault(
      'migrations',
      `The database belongs to a later version. It has ${named(newer)}.`,
      'Start that version, or use another database.',
    );
  if (strange.length > 0 || had.some((name, index) => own.indexOf(name) !== index))
    return fault(
      'migrations',
      'The database has other migrations than this version' +
        (strange.length > 0 ? `: ${named(strange)}.` : ', or has them in another order.'),
      'Start the version that created it, or restore the released files in apps/server/migrations.',
    );
  const pending = own.slice(had.length);
  if (pending.length > 0)
    return warning(
      'migrations',
      `${pending.length} of ${own.length} are pending: ${named(pending)}.`,
      'The next start of the server updates the database. Take a backup first, with the version that created it: npm run backup',
    );
  return ok('migrations', `All ${own.length} are applied, up to ${own.at(-1)}.`);
}

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Compares rights with grants.sql. Needs existing tables. */
export async function checkRoles(db: Database, address: string, isOwn: boolean): Promise<Finding[]> {
  const excess = await excessOf(address);
  if (excess !== undefined)
    return [
      warning(
        'roles',
        `The server's role ${excess}, so it could change transfers and the log.`,
        isOwn
          ? 'Set DATABASE_URL to a separate role, and DATABASE_OWNER_URL to the owner, which migrates and grants.'
          : 'The next start of the server creates a role for it.',
      ),
    ];
  const { beyond, lacking } = await compareRights(db);
  const restart = 'The next start of the server sets the grants of apps/server/grants.sql and revokes all others.';
  return [
    ...(beyond.length > 0
      ? [fault('roles', `The server's role has too many privileges: ${named(beyond)}.`, restart)]
      : []),
    ...(lacking.length > 0 ? [fault('roles', `The server's role lacks privileges: ${named(lacking)}.`, restart)] : []),
    ...(beyond.length + lacking.length === 0
      ? [ok('roles', "The server's role owns nothing, and can't change or delete recorded rows.")]
      : []),
  ];
}

export async function checkOwner(ownerAddress: string): Promise<Finding[]> {
  try {
    await readMigrations(ownerAddress);
    return [];
  } catch (error) {
    return [
      fault(
        'roles',
        `The owner of the tables can't connect: ${reasonOf(error)}.`,
        "Check DATABASE_OWNER_URL. Without it, a start can't migrate or grant.",
      ),
    ];
  }
}
