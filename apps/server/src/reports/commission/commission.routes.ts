import { percentOf, pointsOf, type Role, ROLES } from '@drawhouse/contract/core/primitives';
import { adminCommission, pendingCommissions } from '@drawhouse/contract/reports/commission';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { type Actor, chainTo, notInSubtree } from '../../accounts/authority.ts';
import { requireRoleOf } from '../../accounts/read/caller-identity-fields.ts';
import type { Services } from '../../platform/services.ts';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { networkOrColumnSql, singleNetworkOf } from '../../platform/db/cross-network-sql.ts';
import { inSubtree, inSubtreeEver } from '../../platform/db/visibility-predicate.ts';
import type { ReportServices } from '../../platform/lists/read-report.ts';
import { aboutPeriod, periodOrToday } from '../server-day.ts';
import { FIGURES, turnoverByGame } from '../turnover/turnover.sql.ts';

interface Stored {
  id: string;
  username: string;
  role: Role;
  commission: number;
  pending: bigint;
}

export function pendingCommissionRoutes(services: Services): BoundRoute<Actor>[] {
  return serveList(
    services,
    pendingCommissions,
    async ({ actor, query, on }: ListRequest<typeof pendingCommissions, Actor>) => {
      const about = (await chainTo(on, actor.id, query.id ?? actor.id))?.at(-1);
      if (!about) throw notInSubtree('id');
      // A lower role filters. Other roles must match account or caller.
      const isLevel = (role: Role): boolean => ROLES.indexOf(role) > ROLES.indexOf(about.role);
      if (query.role !== undefined && !isLevel(query.role)) requireRoleOf(actor, about.role, query.role);
      const pending = sql`w.balance`;
      return {
        from: sql`accounts a join wallets w on w.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')}
          and w.owner_id = a.id and w.kind = ${sql.lit(WALLET_KINDS.commission)}`,
        authority: inSubtree('a', actor),
        where: sql`w.balance > 0 and a.id <> ${about.id} and a.chain @> array[${about.id}]::uuid[]`,
        key: sql`a.id`,
        select: sql`a.id, a.username, a.role, a.commission, w.balance as pending`,
        toRow: (row: Stored) => ({
          _id: row.id,
          username: row.username,
          role: row.role,
          percentage: percentOf(row.commission),
          totalCommission: pointsOf(row.pending),
        }),
        // No index covers pending commission; every read visits all accounts below.
        reading: 'atOnce',
        order: {
          username: naturalOrder(sql`a.username`),
          role: sql`cardinality(a.chain)`,
          percentage: sql`a.commission`,
          totalCommission: pending,
        },
        totals: { totalCommission: pending },
        filters: { role: (role) => (isLevel(role as Role) ? sql`a.role = ${role}` : sql`true`) },
        search: (pattern) => sql`lower(a.username) like ${pattern.toLowerCase()}`,
        of: () => ({ 'Accounts below': `${about.username} (${about.role})` }),
        extra: () => ({ role: about.role }),
      };
    },
  );
}

const SUMS = {
  commissionAmount: sql`(${FIGURES.endPoints} - ${FIGURES.net})`,
  totalPoints: FIGURES.playPoints,
  totalWinPoints: FIGURES.winPoints,
};

interface StoredOfAdmin {
  id: string;
  username: string;
  game_key: string;
  name: string;
  commission: bigint;
  stake: bigint;
  win: bigint;
}

export function adminCommissionRoutes(services: ReportServices): BoundRoute<Actor>[] {
  return serveList(services, adminCommission, async (request: ListRequest<typeof adminCommission, Actor>) => {
    const { actor, query, on, timeZone } = request;
    const account = (await chainTo(on, actor.id, query.id ?? actor.id))?.at(-1);
    if (!account) throw notInSubtree('id');
    requireRoleOf(actor, account.role, query.role);
    // A superadmin's games are in its admins' networks.
    const subject = account.role === 'superadmin' ? { childrenOf: account.id } : { itself: account.id };
    const period = periodOrToday(request);
    return {
      from: sql`(${turnoverByGame(subject, { ...period, timeZone }, actor)}) t join games g on g.id = t.game_id`,
      authority: inSubtreeEver('t', actor),
      key: sql`t.id::text || t.game_id`,
      select: sql`t.id, t.username, g.game_key, g.name, ${SUMS.commissionAmount} as commission, t.stake, t.win`,
      toRow: (row: StoredOfAdmin) => ({
        adminId: row.id,
        gameId: row.game_key,
        gameName: row.name,
        username: row.username,
        commissionAmount: pointsOf(row.commission),
        totalPoints: pointsOf(row.stake),
        totalWinPoints: pointsOf(row.win),
      }),
      reading: 'atOnce',
      order: {
        gameId: sql`lower(g.game_key)`,
        gameName: naturalOrder(sql`g.name`),
        username: naturalOrder(sql`t.username`),
        ...SUMS,
      },
      totals: SUMS,
      filters: { period: null },
      of: () => ({ 'Games of': `${account.username} (${account.role})`, ...aboutPeriod(period, timeZone) }),
      extra: ({ sums }) => ({
        role: account.role,
        account,
        summary: {
          totalCommissionPoint: pointsOf(sums.commissionAmount!),
          totalBetPoint: pointsOf(sums.totalPoints!),
          totalWonPoint: pointsOf(sums.totalWinPoints!),
        },
      }),
    };
  });
}
