import { turnover } from '@drawhouse/contract/reports';
import type { TurnoverRow } from '@drawhouse/contract/reports';
import { pointsOf, roleBelow } from '@drawhouse/contract/primitives';
import type { Actor } from '../accounts/authority.ts';
import type { Services } from '../db/services.ts';
import { CallError } from '../http/errors.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { chainTo, turnoverOfChildren } from './turnover.sql.ts';
import type { TurnoverSums } from './turnover.sql.ts';

/** The routes of the reports. They only read. */
export function reportsRoutes({ db, timeZone }: Services): BoundRoute<Actor>[] {
  return [
    handle(turnover, async ({ query }, { actor }) => {
      const from = new Date(query.startDate);
      // endDate is the last instant that counts, to the millisecond.
      const until = new Date(new Date(query.endDate).getTime() + 1);
      if (until <= from) throw new CallError('INVALID_INPUT', { fields: { endDate: 'The end lies before the start' } });
      const chain = await chainTo(db, actor.id, query.id ?? actor.id);
      const parent = chain?.at(-1);
      if (!chain || !parent) throw new CallError('NOT_FOUND');
      const rows = await turnoverOfChildren(db, actor.id, parent.id, { from, until, timeZone });
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
  ];
}

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
