import { PROBE_TIMEOUTS, withClient } from '../../platform/db/connection/dedicated-connections.ts';
import { sql } from '../../platform/db/sql/sql.ts';

export interface ReplicationFault {
  readonly says: string;
  readonly todo: string;
}

const LEAST_VERSION = 16;
/** Another PostgreSQL has no other way to sign in. */
const HAS_PASSWORD = /:\/\/[^@/]*:[^@/]+@|[?&]password=/;

/** Lists what the PostgreSQL of a cell lacks for moves of networks. Both ends of a move need all of it. */
export async function findReplicationFaults(ownerUrl: string): Promise<readonly ReplicationFault[]> {
  const { rows } = await withClient(ownerUrl, PROBE_TIMEOUTS, (client) =>
    client.query<{
      version: number;
      level: string;
      role: string;
      replicates: boolean;
      subscribes: boolean;
      all: boolean;
    }>(
      sql`select current_setting('server_version_num')::int / 10000 as version, current_setting('wal_level') as level,
         rolname as role, rolsuper as all, rolreplication as replicates,
         exists (select from pg_roles p where p.rolname = 'pg_create_subscription' and pg_has_role(p.oid, 'member')) as subscribes
       from pg_roles where rolname = current_user`,
    ),
  );
  const { version, level, role, replicates, subscribes, all: isSuperuser } = rows[0]!;
  const faults: ReplicationFault[] = [];
  if (version < LEAST_VERSION)
    faults.push({ says: `It is PostgreSQL ${version}.`, todo: `Moves need PostgreSQL ${LEAST_VERSION} or later.` });
  if (level !== 'logical')
    faults.push({ says: `Its wal_level is ${level}.`, todo: 'Set wal_level = logical, and restart PostgreSQL.' });
  if (isSuperuser) return faults;
  if (!replicates)
    faults.push({
      says: `Its role ${role} can’t replicate.`,
      todo: `As its superuser, run: alter role ${role} replication`,
    });
  if (!subscribes)
    faults.push({
      says: `Its role ${role} can’t create subscriptions.`,
      todo: `As its superuser, run: grant pg_create_subscription to ${role}`,
    });
  if (!HAS_PASSWORD.test(ownerUrl))
    faults.push({
      says: 'Its DATABASE_OWNER_URL has no password, so the PostgreSQL of another cell can’t connect.',
      todo: 'Give the role a password, and add it to DATABASE_OWNER_URL.',
    });
  return faults;
}
