import { pointsOf, type Role, roleBelow } from '@drawhouse/contract/core/primitives';
import { figures, turnoverReport, type TurnoverRow, turnoverSeries } from '@drawhouse/contract/reports/turnover';
import { type Actor, type ChainLink, chainTo, notInSubtree } from '../../accounts/authority.ts';
import { requireRoleOf } from '../../accounts/read/caller-identity-fields.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readReport, type ReportServices } from '../../platform/lists/read-report.ts';
import { naturalOrder, sql } from '../../platform/db/sql/sql.ts';
import { type BoundRoute, handle } from '../../platform/http/handler.ts';
import { serveList } from '../../platform/lists/serve-list.ts';
import type { ListRequest } from '../../platform/lists/list-source.ts';
import { aboutPeriod, bucketsOf, periodOrToday } from '../server-day.ts';
import { inSubtreeEver } from '../../platform/db/visibility-predicate.ts';
import { FIGURES, rootOf, turnoverByPeriod, turnoverOf } from './turnover.sql.ts';
import { periodBetween, periodsBetween } from '../../platform/time/clock.ts';

type Figure = keyof typeof FIGURES;
type Stored = Readonly<Record<Figure, bigint>>;
const FIGURE_NAMES = Object.keys(FIGURES) as Figure[];
const FIGURE_COLUMNS = sql.join(FIGURE_NAMES.map((name) => sql`${FIGURES[name]} as ${sql.ref(name)}`));

export function turnoverRoutes(services: ReportServices): BoundRoute<Actor>[] {
  const { clock, timeZone } = services;
  return [
    ...serveList(services, turnoverReport, async (request: ListRequest<typeof turnoverReport, Actor>) => {
      const { actor, query, on } = request;
      const chain = await chainTo(on, actor.id, query.id ?? actor.id);
      const parent = chain?.at(-1);
      if (!chain || !parent) throw notInSubtree('id');
      requireRoleOf(actor, parent.role, query.role);
      const period = periodOrToday(request);
      return {
        from: sql`(${turnoverOf({ childrenOf: parent.id }, { ...period, timeZone }, actor)}) t`,
        authority: inSubtreeEver('t', actor),
        key: sql`t.id`,
        select: sql`t.id, t.role, t.username, ${FIGURE_COLUMNS}`,
        toRow: (row: Stored & Named) => ({ id: row.id, role: row.role, username: row.username, ...inPoints(row) }),
        reading: 'atOnce',
        order: { username: naturalOrder(sql`t.username`), ...FIGURES },
        totals: FIGURES,
        filters: { period: null },
        of: () => ({
          'Accounts below': `${parent.username} (${parent.role})`,
          ...aboutPeriod(period, timeZone),
        }),
        extra: ({ sums }) => ({
          role: roleBelow(parent.role) ?? parent.role,
          parents: chain,
          summary: summaryOf(sums),
        }),
      };
    }),
    handle(turnoverSeries, ({ query }, call) =>
      readReport(services, call, async (on) => {
        const { actor } = call;
        const account = await accountOf(on, actor, query.id ?? actor.id);
        const period = periodOrToday({ query, at: clock.now(), timeZone });
        const { grain, ends } = bucketsOf(period, query.timeZone ?? timeZone);
        const periods = turnoverByPeriod(rootOf(account), { periods: periodsBetween(ends), timeZone }, actor);
        const rows = await on.query<Stored>(sql`select ${FIGURE_COLUMNS} from (${periods}) t order by t.nth`);
        const data = rows.map((row, index) => ({
          startDate: ends[index]!.toISOString(),
          endDate: new Date(ends[index + 1]!.getTime() - 1).toISOString(),
          ...inPoints(row),
        }));
        return { grain, data };
      }),
    ),
    handle(figures, ({ query }, call) =>
      readReport(services, call, async (on) => {
        const { actor } = call;
        const account = await accountOf(on, actor, query.id);
        const sums = FIGURE_NAMES.map((name) => sql`coalesce(sum(${FIGURES[name]}), 0)::bigint as ${sql.ref(name)}`);
        const [row] = await on.query<Stored>(sql`select ${sql.join(sums)}
              from (${turnoverOf(rootOf(account), { ...periodBetween(query), timeZone }, actor)}) t`);
        return { data: { ...account, ...inPoints(row!) } };
      }),
    ),
  ];
}

async function accountOf(on: Queryable, actor: Actor, id: string): Promise<ChainLink> {
  const account = (await chainTo(on, actor.id, id))?.at(-1);
  if (!account) throw notInSubtree('id');
  return account;
}

interface Named {
  readonly id: string;
  readonly role: Role;
  readonly username: string;
}

function inPoints(row: Stored): Omit<TurnoverRow, keyof Named> {
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, pointsOf(row[name])])) as Record<Figure, number>;
}

function summaryOf({ playPoints, winPoints, endPoints, net }: Stored): Record<string, number> {
  return {
    totalPlayPoints: pointsOf(playPoints),
    totalWinPoints: pointsOf(winPoints),
    endPoint: pointsOf(endPoints),
    totalCommission: pointsOf(endPoints - net),
    net: pointsOf(net),
  };
}
