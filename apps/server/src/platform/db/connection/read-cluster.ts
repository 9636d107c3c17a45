import { hostOf, parseClusterAddress } from '../../../config/cluster-address.ts';
import { PROBE_TIMEOUTS, withClient } from './dedicated-connections.ts';
import { reasonIn } from './unavailable.ts';
import type { Queryable } from '../database.ts';
import { sql } from '../sql/sql.ts';

export interface HostState {
  readonly host: string;
  readonly role: 'primary' | 'standby' | 'unreachable';
  /** Bytes of WAL that the standby has not replayed. Undefined without a primary. */
  readonly behindBytes: number | undefined;
  /** `synchronous_standby_names` of a primary. */
  readonly waitsFor: string;
  readonly trouble: string;
}

interface Answer {
  readonly isStandby: boolean;
  readonly position: bigint;
  readonly waitsFor: string;
}

const STATE = `select pg_is_in_recovery() as "isStandby", current_setting('synchronous_standby_names') as "waitsFor",
  pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0')::text as position`;

/** Asks every host itself, so no role needs PostgreSQL's monitoring rights. Empty for an address of one host. */
export async function readCluster(url: string): Promise<readonly HostState[]> {
  const hosts = parseClusterAddress(url)?.hosts ?? [];
  // Without the wanted role, each address is a plain one.
  const plain = hosts.map((host) => host.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, ''));
  const answers = await Promise.all(
    plain.map((host) => readHost(host).catch((error: Error) => reasonIn((error.cause as Error | undefined) ?? error))),
  );
  const positions = answers.flatMap((one) => (typeof one === 'string' || one.isStandby ? [] : [one.position]));
  return answers.map((one, index) => {
    const host = hostOf(hosts[index]!);
    if (typeof one === 'string')
      return { host, role: 'unreachable', behindBytes: undefined, waitsFor: '', trouble: one };
    const behind = positions.length === 0 ? undefined : Number(positions[0]! - one.position);
    return {
      host,
      role: one.isStandby ? 'standby' : 'primary',
      // Asked a moment apart, a standby may seem ahead.
      behindBytes: behind === undefined || !one.isStandby ? undefined : Math.max(0, behind),
      waitsFor: one.waitsFor,
      trouble: '',
    };
  });
}

async function readHost(url: string): Promise<Answer> {
  const { rows } = await withClient(url, { ...PROBE_TIMEOUTS, connectMs: 2_000, answerMs: 2_000 }, (client) =>
    client.query<Omit<Answer, 'position'> & { position: string }>(STATE),
  );
  const [row] = rows;
  return { ...row!, position: BigInt(row!.position) };
}

export interface UnreadSlot {
  readonly name: string;
  /** Write-ahead log that PostgreSQL keeps for the slot. */
  readonly keptBytes: number;
}

/** A restarting standby catches up. Beyond this, a slot would fill the disk. */
const LEAST_KEPT_BYTES = 1024 ** 3;

export function readUnreadSlots(db: Queryable, leastBytes = LEAST_KEPT_BYTES): Promise<UnreadSlot[]> {
  return db.query<UnreadSlot & Record<string, unknown>>(
    sql`select slot_name as name, kept::float8 as "keptBytes" from (
        select slot_name, pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
          restart_lsn) as kept
        from pg_replication_slots where not active and restart_lsn is not null) as slots
      where kept >= ${leastBytes} order by slot_name`,
  );
}
