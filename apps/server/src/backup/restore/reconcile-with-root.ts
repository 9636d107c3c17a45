import { ROOT_NETWORK, TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { keepGames, LoggedLimits, LoggedSetting } from '../../games/catalogue/copy-games.ts';
import { post } from '../../ledger/post.ts';
import { pointsText } from '@drawhouse/contract/core/primitives';
import { concernsNetwork } from '../backup-tables.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';

export interface Exchange {
  readonly adminId: string;
  readonly staged: number;
  readonly live: number;
  /** Position in the local root's log up to which the staged state is current; for a move, at loading. */
  readonly rootLog: bigint;
  readonly takenAt: Date;
  readonly username: string;
  readonly moveId?: string | undefined;
  /** Replication brought the rows, from another cell. */
  readonly isReplicated?: boolean;
  readonly approval?: string | undefined;
  readonly isWithoutSecrets?: boolean | undefined;
  /** The replaced network returns unchanged. */
  readonly isUndo?: boolean;
  /** The backup is from before this move. */
  readonly arrival?: LastArrival | undefined;
}

export interface LastArrival {
  readonly id: string;
  /** What the network brought, hundredths. */
  readonly amount: bigint;
  /** The first move that the backup lacks. The root's rows in the backup precede it. */
  readonly firstId: string;
}

export async function readGameChangesAtRoot(tx: Tx, exchange: Exchange): Promise<Parameters<typeof keepGames>[2]> {
  return {
    percentages: await readLatestAtRoot<number | null>(tx, exchange, 'percentages'),
    limits: await readLatestAtRoot<LoggedLimits>(tx, exchange, 'limits'),
  };
}

async function readLatestAtRoot<T>(
  tx: Tx,
  { adminId, rootLog }: Exchange,
  what: 'percentages' | 'limits',
): Promise<LoggedSetting<T>[]> {
  const rows = await tx.query<{ gameId: string; at: Date; value: unknown }>(
    sql`select distinct on (told ->> 'gameId') g.id as "gameId", l.at, told -> 'after' as value
     from activity l, jsonb_path_query(l.detail, '$.${sql.raw(what)}[*]') as told join games g on g.game_key = told ->> 'gameId'
     where l.network_id = ${sql.lit(ROOT_NETWORK)} and l.seq > ${rootLog} and l.detail ? '${sql.raw(what)}'
       and coalesce(told ->> 'adminId', l.detail ->> 'adminId') = ${adminId}::text
     order by told ->> 'gameId', l.seq desc`,
  );
  return rows as LoggedSetting<T>[];
}

const { boundary } = WALLET_KINDS;

const sidesOf = (network: number, wallet: Sql): Sql =>
  sql`select amount as outward, reference, kind, to_version as version from transfers
    where network_id = ${network} and to_wallet = ${wallet}
   union all select -amount, reference, kind, from_version from transfers where network_id = ${network} and from_wallet = ${wallet}`;

/**
 * Undoes later root entries and compensates for credit that crossed meanwhile, in one transfer. Idempotent. `arrived`
 * precedes it: the admin must cover only the sum.
 */
export async function reconcile(services: Services, tx: Tx, exchange: Exchange, arrived?: Compensation): Promise<void> {
  const { adminId, staged, rootLog, takenAt, username } = exchange;
  const id = services.newId();
  const [range] = await tx.query<{
    logFrom: bigint;
    logUntil: bigint;
    from: bigint;
    until: bigint;
    amount: bigint;
    known: boolean;
  }>(
    sql`with border as (
       select id, version from wallets where network_id = ${sql.lit(ROOT_NETWORK)} and owner_id = ${adminId}
         and kind = ${sql.lit(boundary)} for update
     ), crossed as (
       select t.* from border b cross join lateral (${sidesOf(ROOT_NETWORK, sql`b.id`)}) as t
     ), halves as (
       select t.reference, t.kind from wallets w cross join lateral (${sidesOf(staged, sql`w.id`)}) as t
       where w.network_id = ${staged} and w.owner_id = ${adminId} and w.kind = ${sql.lit(boundary)}
         and t.kind <> ${sql.lit(TRANSFER_KINDS.restore)}
     ), before as (
       select greatest(coalesce(max(r.root_log_until), 0), ${rootLog}::bigint) as log,
              -- The root's versions continue when a network leaves and returns.
              greatest(coalesce(max(r.root_version_until), 0), (select (amount <> 0)::int + coalesce((
                  select (detail -> 'departed' ->> 'version')::bigint from activity where network_id = ${sql.lit(ROOT_NETWORK)}
                    and detail -> 'departed' ->> 'adminId' = ${adminId}::text order by seq desc limit 1), 0) from moves m
                where m.network_id = ${staged} order by border_version desc, at desc limit 1)) as version,
              count(*) > 0 as known, coalesce(bool_or(r.root_log_until >= ${rootLog}::bigint), false) as covered
       from restores r where r.network_id = ${staged}
     ), last as (
       select greatest(b.version, (select coalesce(max(c.version), 0) from crossed c
         join halves h using (reference, kind))) as version, b.log, b.covered
       from before b
     )
     select l.log as "logFrom", coalesce((select seq from activity_heads where network_id = ${sql.lit(ROOT_NETWORK)}), 0) as "logUntil",
            l.version as from, (select version from border) as until, l.covered as known,
            (select coalesce(sum(outward), 0)::bigint from crossed where version > l.version) as amount
     from last l`,
  );
  const { logFrom, logUntil, from, until, amount, known } = range!;
  if (!arrived && known && until === from && !(await tellsOf(tx, exchange, logFrom, logUntil))) return;
  await tx.query(
    sql`insert into restores (network_id, id, at, taken_at, amount, root_log_from, root_log_until, root_version_from,
      root_version_until, username)
     values (${staged}, ${id}, ${services.clock.now()}, ${takenAt}, ${amount}, ${logFrom}, ${logUntil}, ${from}, ${until}, ${username})`,
  );
  const undone = undoneRows(sql`${staged}, seq, ${id}`, exchange, logFrom, logUntil);
  await tx.query(sql`insert into undone_activity (network_id, seq, restore_id) ${undone}`);
  await compensate(services, tx, exchange, arrived ? [arrived, { id, amount }] : [{ id, amount }]);
}

export interface Compensation {
  readonly id: string;
  readonly amount: bigint;
}

/** Gives the admin credit that crossed the boundary, or takes it. */
async function compensate(
  services: Services,
  tx: Tx,
  { adminId, staged }: Exchange,
  compensations: readonly Compensation[],
): Promise<void> {
  const [away, own] = [`boundary:${adminId}`, `credit:${adminId}`] as const;
  const postings = compensations
    .filter(({ amount }) => amount !== 0n)
    .map(({ id, amount }) => ({
      ...(amount > 0n ? { from: away, to: own } : { from: own, to: away }),
      amount: amount > 0n ? amount : -amount,
      kind: 'restore' as const,
      actorId: null,
      reference: id,
      isCoveredLater: true,
    }));
  if (postings.length === 0) return;
  try {
    await post(tx, staged, services, postings);
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== 'INSUFFICIENT_CREDIT') throw error;
    const owed = compensations.reduce((sum, { amount }) => sum - amount, 0n);
    throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.owesSuperadmin(pointsText(owed)) });
  }
}

/**
 * Root log rows in (`from`, `until`]: about accounts, transfers and draws of the live network (without admin and
 * games), or undone by restores unknown to the staged state.
 */
const undoneRows = (select: Sql, { adminId, live }: Exchange, from: bigint, until: bigint): Sql =>
  sql`select ${select} from activity l where l.network_id = ${ROOT_NETWORK} and l.seq > ${from} and l.seq <= ${until}
     and (l.seq in (select seq from undone_activity where network_id = ${live}) or ${concernsNetwork(sql`${live}`, sql`${adminId}`)})`;

async function tellsOf(tx: Tx, exchange: Exchange, from: bigint, until: bigint): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    sql`select exists (${undoneRows(sql``, exchange, from, until)}) as found`,
  );
  return row!.found;
}
