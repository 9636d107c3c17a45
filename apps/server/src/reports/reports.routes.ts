import { figures, turnover } from '@drawhouse/contract/reports';
import type { TurnoverRow } from '@drawhouse/contract/reports';
import { pointsOf, roleBelow } from '@drawhouse/contract/primitives';
import type { Actor } from '../accounts/authority.ts';
import { requireRoleOf } from '../accounts/own-claims.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { chainTo, turnoverOf } from './turnover.sql.ts';
import type { TurnoverSums } from './turnover.sql.ts';

/** The routes of the reports. They only read. */
export function reportsRoutes({ db, timeZone }: Services): BoundRoute<Actor>[] {
  return [
    handle(turnover, async ({ query }, { actor }) => {
      const chain = await chainTo(db, actor.id, query.id ?? actor.id);
      const parent = chain?.at(-1);
      if (!chain || !parent) throw new CallError('NOT_FOUND');
      requireRoleOf(actor, parent.role, query.role);
      const rows = await turnoverOf(db, actor.id, { childrenOf: parent.id }, { ...rangeOf(query), timeZone });
      const totals = rows.reduce(add, { stake: 0n, win: 0n, commission: 0n });
      return {
        role: roleBelow(parent.role) ?? parent.role,
        parents: chain,
        data: rows.map(toRow),
        summary: {
          totalPlayPoints: pointsOf(totals.stake),
          totalWinPoints: pointsOf(totals.win),
          endPoint: pointsOf(totals.stake - totals.win),
          totalCommission: pointsOf(totals.commission),
          net: pointsOf(totals.stake - totals.win - totals.commission),
        },
        total: rows.length,
      };
    }),
    handle(figures, async ({ query }, { actor }) => {
      const account = (await chainTo(db, actor.id, query.id))?.at(-1);
      if (!account) throw new CallError('NOT_FOUND');
      // A superadmin's play lies in many networks: it is that of its admins together.
      const subject = account.role === 'superadmin' ? { childrenOf: account.id } : { itself: account.id };
      const rows = await turnoverOf(db, actor.id, subject, { ...rangeOf(query), timeZone });
      const total = (name: 'stake' | 'win' | CommissionColumn): bigint =>
        rows.reduce((sum, row) => sum + row[name], 0n);
      const commissions = Object.fromEntries(COMMISSIONS.map((name) => [name, total(name)])) as Record<
        CommissionColumn,
        bigint
      >;
      return { data: toRow({ ...account, stake: total('stake'), win: total('win'), ...commissions }) };
    }),
  ];
}

/** The instants of a report; `endDate` is the last one that counts, to the millisecond. */
function rangeOf({ startDate, endDate }: { startDate: string; endDate: string }): { from: Date; until: Date } {
  return { from: new Date(startDate), until: new Date(Date.parse(endDate) + 1) };
}

const COMMISSIONS = ['super_commission', 'dist_commission', 'retail_commission', 'user_commission'] as const;
type CommissionColumn = (typeof COMMISSIONS)[number];

const commissionOf = (row: TurnoverSums): bigint =>
  row.super_commission + row.dist_commission + row.retail_commission + row.user_commission;

function add(totals: { stake: bigint; win: bigint; commission: bigint }, row: TurnoverSums): typeof totals {
  return {
    stake: totals.stake + row.stake,
    win: totals.win + row.win,
    commission: totals.commission + commissionOf(row),
  };
}

function toRow(row: TurnoverSums): TurnoverRow {
  const end = row.stake - row.win;
  return {
    id: row.id,
    role: row.role,
    username: row.username,
    playPoints: pointsOf(row.stake),
    winPoints: pointsOf(row.win),
    endPoints: pointsOf(end),
    supercom: pointsOf(row.super_commission),
    distcom: pointsOf(row.dist_commission),
    retailcom: pointsOf(row.retail_commission),
    usercom: pointsOf(row.user_commission),
    net: pointsOf(end - commissionOf(row)),
  };
}
