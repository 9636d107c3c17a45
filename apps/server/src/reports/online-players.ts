import { onlinePlayers } from '@drawhouse/contract/online-players';
import { pointsOf } from '@drawhouse/contract/primitives';
import { sql } from 'kysely';
import { searchOf } from '../accounts/account-source.ts';
import { below } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { isOnline, onlineAccounts } from '../accounts/online.ts';
import type { Services } from '../db/services.ts';
import { pieceOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { BoundRoute } from '../http/handler.ts';
import { WALLET_KINDS } from '../ledger/kinds.ts';
import { serveList } from '../lists/serve-list.ts';
import type { ListRequest } from '../lists/source.ts';

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

/** The routes of Online Players. */
export function onlinePlayersRoutes(services: Services): BoundRoute<Actor>[] {
  return serveList(
    services,
    onlinePlayers,
    ({ actor, query, at, timeZone }: ListRequest<typeof onlinePlayers, Actor>) => {
      const ofToday = sql`network_id = a.network_id and account_id = a.id and starts_at = date_trunc('day', ${at}::timestamptz, ${timeZone})`;
      const sumOf = (sum: Sql): Sql =>
        sql`(select coalesce(sum(${sum}), 0)::bigint from rollups where ${ofToday} and grain = 'day')`;
      const [stake, win] = [sumOf(sql`stake`), sumOf(sql`win`)];
      // All wins are claimed as they are paid, but for those that are held.
      const claimed = sql`(${win} + coalesce((select claimed - held from claim_sums where ${ofToday}), 0))`;
      const credit = sql`(select balance from wallets w where w.network_id = a.network_id and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.credit)})`;
      const isOn = pieceOf(isOnline('a', '$1'), at);
      return {
        ...(query.show === 'all'
          ? { from: sql`accounts a`, reading: 'keysFirst' }
          : // Of many players few are online: these are looked up one by one, and all is told of them by one look.
            {
              from: sql`${onlineAccounts(at)} o cross join lateral (select * from accounts where id = o.account_id offset 0) a`,
              reading: 'atOnce',
            }),
        authority: below('a', actor.id),
        where: sql`a.role = 'user'`,
        key: sql`a.id`,
        select: sql`a.id, a.username, a.unique_id, a.last_login_at, ${credit} as credit, ${stake} as stake, ${win} as win, ${claimed} as claimed,
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
        reading: 'keysFirst',
        order: {
          username: sql`lower(a.username)`,
          uniqueId: sql`a.unique_id`,
          points: credit,
          playPoints: stake,
          winPoints: win,
          claimPoints: claimed,
          endPoints: sumOf(sql`stake - win`),
          isOnline: isOn,
          lastLogin: { by: sql`a.last_login_at`, nullable: true },
        },
        search: searchOf('user'),
        of: () => ({
          Players: query.show === 'all' ? 'Online and offline' : 'Online',
          'Played on': `${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(at)} (${timeZone})`,
        }),
      };
    },
  );
}
