import { onlinePlayers } from '@drawhouse/contract/reports/online-players';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { countInNetworks, searchOf } from '../../accounts/read/account-source.ts';
import type { Actor } from '../../accounts/authority.ts';
import { isOnline, onlineAccounts } from '../../accounts/read/online-sessions.ts';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import type { Services } from '../../platform/services.ts';
import { naturalOrder, sql, type Sql } from '../../platform/db/sql/sql.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { Expression, ListRequest } from '../../platform/lists/list-source.ts';
import { aboutPeriod } from '../server-day.ts';
import { inSubtree, selectVisible } from '../../platform/db/visibility-predicate.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';

interface Stored {
  readonly id: string;
  readonly username: string;
  readonly unique_id: string;
  readonly credit: bigint;
  readonly stake: bigint;
  readonly win: bigint;
  readonly claimed: bigint;
  readonly is_online: boolean;
  readonly last_login_at: Date | null;
}

export function onlinePlayersRoutes(services: Services): BoundRoute<Actor>[] {
  return serveList(
    services,
    onlinePlayers,
    ({ actor, query, at, timeZone, on }: ListRequest<typeof onlinePlayers, Actor>) => {
      const isAll = query.show === 'all';
      const today = sql`day_start(${at}::timestamptz, ${timeZone})`;
      const network = networkOrColumnSql(singleNetworkOf(actor), 'a.network_id');
      const ofToday = sql`network_id = ${network} and account_id = a.id and starts_at = ${today}`;
      const sumOf = (sum: Sql): Sql =>
        sql`(select coalesce(sum(${sum}), 0)::bigint from rollups where ${ofToday} and grain = 'day')`;
      const [stake, win] = [sumOf(sql`stake`), sumOf(sql`win`)];
      // Wins are claimed on payout, except held ones.
      const claimed = sql`(${win} + coalesce((select claimed - held from claim_sums where ${ofToday}), 0))`;
      const credit = sql`(select balance from wallets w
        where w.network_id = ${network} and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.credit)})`;
      const isOn = isOnline('a', at);
      return {
        ...(isAll
          ? {
              from: sql`accounts a`,
              reading: 'keysFirst' as const,
              countAll: () => countInNetworks(on, actor, 'user'),
            }
          : // Few players are online, so each gets one combined lookup.
            {
              from: sql`${onlineAccounts(at)} o cross join lateral (select * from accounts where id = o.account_id offset 0) a`,
              reading: 'atOnce' as const,
            }),
        authority: inSubtree('a', actor),
        where: sql`a.role = 'user'`,
        key: sql`a.id`,
        select: sql`a.id, a.username, a.unique_id, a.last_login_at, ${credit} as credit, ${stake} as stake, ${win} as win,
          ${claimed} as claimed,
                  ${isOn} as is_online`,
        toRow: (row: Stored) => ({
          _id: row.id,
          username: row.username,
          uniqueId: row.unique_id,
          points: pointsOf(row.credit),
          playPoints: pointsOf(row.stake),
          winPoints: pointsOf(row.win),
          claimPoints: pointsOf(row.claimed),
          endPoints: pointsOf(row.stake - row.win),
          isOnline: row.is_online,
          lastLogin: row.last_login_at?.toISOString() ?? null,
        }),
        order: {
          username: naturalOrder(sql`a.username`),
          uniqueId: sql`a.unique_id`,
          points: credit,
          ...(isAll
            ? orderOfAll(actor, today)
            : { playPoints: stake, winPoints: win, claimPoints: claimed, endPoints: sumOf(sql`stake - win`) }),
          isOnline: isOn,
          lastLogin: { by: sql`a.last_login_at`, nullable: true },
        },
        search: searchOf('user'),
        extra: () => ({ role: actor.role }),
        of: () => ({
          Players: isAll ? 'Online and offline' : 'Online',
          ...aboutPeriod({ day: dayOf(at, timeZone) }, timeZone),
        }),
      };
    },
  );
}

/** Orders all players `a` below. Looks up those with play, through retailers with play; others are zero. */
function orderOfAll(
  actor: Actor,
  today: Sql,
): Record<'playPoints' | 'winPoints' | 'claimPoints' | 'endPoints', Expression> {
  const one = singleNetworkOf(actor);
  const day = (account: string): Sql =>
    sql`r.network_id = ${networkOrColumnSql(one, `${account}.network_id`)} and r.account_id = ${sql.ref(`${account}.id`)}
      and r.grain = 'day' and r.starts_at = ${today}`;
  const retailers = selectVisible({
    select: sql`retailer.id`,
    from: sql`accounts retailer cross join lateral (select from rollups r where ${day('retailer')} limit 1) as any_play`,
    authority: inSubtree('retailer', actor),
    where: sql`retailer.role = 'retailer'`,
  });
  const join = sql`left join (
      select p.id, sum(played.stake)::bigint as stake, sum(played.win)::bigint as win
      from (${retailers} offset 0) as active
      cross join lateral (select id, network_id from accounts where parent_id = active.id and deleted_at is null offset 0) as p
      cross join lateral (select r.stake, r.win from rollups r where ${day('p')} offset 0) as played
      group by p.id
    ) as today on today.id = a.id`;
  const claims = sql`left join claim_sums c on c.network_id = ${networkOrColumnSql(one, 'a.network_id')} and c.account_id = a.id
    and c.starts_at = ${today}`;
  const [stake, win] = [sql`coalesce(today.stake, 0)`, sql`coalesce(today.win, 0)`];
  return {
    playPoints: { by: stake, join },
    winPoints: { by: win, join },
    claimPoints: { by: sql`${win} + coalesce(c.claimed - c.held, 0)`, join: sql`${join} ${claims}` },
    endPoints: { by: sql`${stake} - ${win}`, join },
  };
}
