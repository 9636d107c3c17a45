import { adminCommission } from '@drawhouse/contract/reports/commission';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { notInSubtree, chainTo, type Actor } from '../../accounts/authority.ts';
import { requireRoleOf } from '../../accounts/read/caller-identity-fields.ts';
import type { ReportServices } from '../../platform/lists/choose-reader.ts';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { aboutPeriod, periodOrToday } from '../server-day.ts';
import { FIGURES, turnoverByGame } from '../turnover/turnover.sql.ts';
import { inSubtreeEver } from '../../platform/db/visibility-predicate.ts';

const SUMS = {
  commissionAmount: sql`(${FIGURES.endPoints} - ${FIGURES.net})`,
  totalPoints: FIGURES.playPoints,
  totalWinPoints: FIGURES.winPoints,
};

interface Stored {
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
      toRow: (row: Stored) => ({
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
