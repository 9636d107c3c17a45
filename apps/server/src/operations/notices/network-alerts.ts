import type { Change } from '@drawhouse/contract/activity/activity';
import { hundredthsIn, pointsText } from '@drawhouse/contract/core/primitives';
import type { FoundNotice, NoticeCode } from '@drawhouse/contract/notices/notices';
import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { drawsToConfirm, type DrawToConfirm } from '../../draws/results/second-person.ts';
import { waitsByNetwork } from '../../draws/schedule/due-draws.sql.ts';
import type { ReadLiveTables } from '../../live/panels/read-live-tables.ts';
import { crossNetworkComment } from '../../platform/db/cross-network-sql.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findNegativeNetworks, opensNoDraw } from '../../liability/negative-networks.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import { gamesOutsideBand } from '../../reports/returns/returns.routes.ts';
import { lateNotices } from '../health/server-health.ts';
import { NOTICE_DETAILS } from './notices-texts.ts';
import type { Actor } from '../../accounts/authority.ts';
import { visibleLog } from '../../activity/log-source.ts';
import { leastIdAt } from '../../platform/db/sql/uuids.ts';

const HOUR_MS = 3_600_000;
const RETURNS_OVER_MS = 30 * 24 * HOUR_MS;

interface AlertNetwork {
  readonly network_id: number;
  readonly admin_id: string;
  readonly username: string;
  readonly test_network: boolean;
  readonly worst_above: bigint | null;
}

export interface NetworkAlerts {
  find(networkId: number | 'all'): Promise<FoundNotice[]>;
  toConfirm(networkIds: readonly number[]): Promise<FoundNotice[]>;
}

export function createNetworkAlerts(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  readLiveTables: ReadLiveTables,
): NetworkAlerts {
  const returns = new Map<number, { readonly at: number; readonly games: readonly string[] }>();

  async function gamesOutside({ network_id: networkId, admin_id: id }: AlertNetwork): Promise<readonly string[]> {
    const now = clock.now();
    const returned = returns.get(networkId);
    if (returned && Math.abs(now.getTime() - returned.at) < HOUR_MS) return returned.games;
    const period = { from: new Date(now.getTime() - RETURNS_OVER_MS), until: now };
    const games = await gamesOutsideBand(db, { id, networkId }, period);
    returns.set(networkId, { at: now.getTime(), games });
    return games;
  }

  async function toConfirm(networkIds: readonly number[]): Promise<FoundNotice[]> {
    const draws = await drawsToConfirm(db, networkIds, clock.now());
    return draws.map((draw) => ({
      code: draw.outside === null ? 'RESULT_TO_CONFIRM' : 'OUTSIDE_RESULT_DUE',
      admin: draw.admin_username,
      about: draw.game_name,
      detail: detailOf(draw),
      until: draw.until.toISOString(),
      table: { gameId: draw.game_key, adminId: draw.admin_id },
    }));
  }

  return {
    toConfirm,
    async find(wanted) {
      const now = clock.now();
      const networks = await readNetworks(db, wanted);
      const ids = networks.map((network) => network.network_id);
      const [late, low, negative, waiting] = await Promise.all([
        waitsByNetwork(db, wanted, now),
        readLowTables(db, wanted),
        findNegativeNetworks(db, wanted === 'all' ? 'all' : ids),
        toConfirm(ids),
      ]);
      const stopped = new Set(negative.filter(opensNoDraw).map((network) => network.username));
      const others: FoundNotice[] = [];
      for (const network of networks.filter(({ test_network }) => !test_network)) {
        others.push(...(await worstCases(readLiveTables, network)));
        const games = await gamesOutside(network);
        if (games.length > 0)
          others.push({ code: 'RETURNS_OUTSIDE', admin: network.username, detail: `${games.join(', ')}.` });
      }
      return [
        ...waiting,
        ...late.flatMap((waits) =>
          lateNotices(waits, now).map((notice) => ({ ...notice, admin: waits.admin_username })),
        ),
        ...low.map((row) => lowTable(row, stopped.has(row.username))),
        ...others,
      ];
    },
  };
}

function detailOf({ outside, saved_by: by }: DrawToConfirm): string {
  if (outside === null) return NOTICE_DETAILS.declaredBy(by);
  return by === null ? NOTICE_DETAILS.outsideDue(outside) : NOTICE_DETAILS.outsideSaved(outside, by);
}

function networkOf(wanted: number | 'all'): Sql {
  return wanted === 'all' ? sql.raw(`n.id ${crossNetworkComment('tables')}`) : sql`${wanted}::int`;
}

function readNetworks(on: Queryable, wanted: number | 'all'): Promise<AlertNetwork[]> {
  const one = networkOf(wanted);
  return on.query<AlertNetwork>(
    sql`select n.id as network_id, a.id as admin_id, a.username, a.test_network, s.worst_above
        from networks n join accounts a on a.id = n.admin_id
        left join alert_thresholds s on s.network_id = ${one}
        where n.id = ${one} and n.id <> ${sql.lit(ROOT_NETWORK)} and a.deleted_at is null order by a.username`,
  );
}

interface LowTable {
  readonly game_key: string;
  readonly name: string;
  readonly admin_id: string;
  readonly username: string;
  readonly balance: bigint;
  readonly below: bigint;
}

function readLowTables(on: Queryable, wanted: number | 'all'): Promise<LowTable[]> {
  const one = networkOf(wanted);
  return on.query<LowTable>(
    sql`select * from (
          select g.game_key, g.name, a.id as admin_id, a.username, coalesce(w.balance, 0) as balance,
                 case when s.network_id is null then 0 else s.table_below end as below
          from networks n join accounts a on a.id = n.admin_id
          join network_games ng on ng.network_id = ${one} join games g on g.id = ng.game_id
          left join wallets w on w.network_id = ${one} and w.owner_id = ng.game_id and w.kind = ${sql.lit(WALLET_KINDS.table)}
          left join alert_thresholds s on s.network_id = ${one}
          where n.id = ${one} and a.deleted_at is null and not a.test_network and g.deleted_at is null
        ) as t where balance < below order by username, balance, name`,
  );
}

function lowTable({ username, name, balance, below, game_key, admin_id }: LowTable, isStopped: boolean): FoundNotice {
  const threshold = below === 0n ? '.' : NOTICE_DETAILS.belowThreshold(pointsText(below));
  return {
    code: 'TABLE_LOW',
    admin: username,
    about: name,
    detail: NOTICE_DETAILS.balance(pointsText(balance), threshold, isStopped),
    table: { gameId: game_key, adminId: admin_id },
  };
}

async function worstCases(readLiveTables: ReadLiveTables, network: AlertNetwork): Promise<FoundNotice[]> {
  const { worst_above: above, admin_id: id, network_id: networkId, username } = network;
  if (above === null) return [];
  const { data } = await readLiveTables({ id, networkId });
  return data.flatMap(({ gameId, gameName, worst }) => {
    if (!worst) return [];
    const pays = hundredthsIn((worst.boosted ?? worst).pays);
    if (pays <= above) return [];
    return [
      {
        code: 'WORST_CASE_HIGH',
        admin: username,
        about: gameName,
        detail: NOTICE_DETAILS.worstCase(worst.result, pointsText(pays), pointsText(above)),
        table: { gameId, adminId: id },
      } as const,
    ];
  });
}

const SHOWN_MS = 7 * 86_400_000;

/**
 * The last week, newest first. Reads the root log, which no clearing or restore shortens. With an actor, only networks
 * below.
 */
export async function networkEvents(on: Queryable, now: Date, actor?: Actor): Promise<FoundNotice[]> {
  const rows = await on.query<{
    at: Date;
    username: string;
    subject: string;
    code: NoticeCode;
    changes: Change[] | null;
  }>(sql`select l.at, l.username, l.subject, l.detail -> 'changes' as changes,
               case when l.detail ? 'clearedBackup' then 'HISTORY_CLEARED' else 'NETWORK_RESTORED' end as code
        from activity l
        where l.network_id = ${ROOT_NETWORK} and l.chain <> '{}' and l.id >= ${leastIdAt(new Date(now.getTime() - SHOWN_MS))}
          and l.detail ?| array['clearedBackup', 'restoredFrom', 'undoneRestoreOf'] and ${actor ? visibleLog(actor) : sql`true`}
        order by l.id desc`);
  return rows.map(({ at, username, subject, code, changes }) => ({
    code,
    since: at.toISOString(),
    admin: username,
    about: subject,
    detail: (changes ?? []).map(({ what, before, after }) => `${what}: ${before ?? after}.`).join(' '),
  }));
}

const REFUSED_MS = 86_400_000;

export async function refusedSignIns(on: Queryable, networkId: number, now: Date): Promise<FoundNotice[]> {
  const [row] = await on.query<{ count: number; last: string | null; at: Date | null }>(
    sql`select count(*)::int as count, (array_agg(l.username order by l.id desc))[1] as last, max(l.at) as at from activity l
      where l.network_id = ${networkId} and l.id >= ${leastIdAt(new Date(now.getTime() - REFUSED_MS))}
        and l.detail ? 'refusedPlace'`,
  );
  const { count, last, at } = row!;
  if (last === null || at === null) return [];
  return [{ code: 'SIGN_INS_REFUSED', since: at.toISOString(), detail: NOTICE_DETAILS.refusedSignIns(count, last) }];
}
