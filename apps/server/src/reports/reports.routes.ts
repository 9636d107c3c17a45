import { roleBelow, pointsOf } from '@drawhouse/contract/primitives';
import type { Role } from '@drawhouse/contract/primitives';
import { figures, turnoverReport } from '@drawhouse/contract/reports';
import type { TurnoverRow } from '@drawhouse/contract/reports';
import { sql } from 'kysely';
import { everBelow, notBelow } from '../accounts/authority.ts';
import type { Actor } from '../accounts/authority.ts';
import { requireRoleOf } from '../accounts/own-claims.ts';
import type { Services } from '../db/services.ts';
import { asPeopleSort, run } from '../db/sql.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';
import { readReport } from '../lists/read-report.ts';
import { serveList } from '../lists/serve-list.ts';
import type { ListRequest } from '../lists/source.ts';
import { chainTo, FIGURES, turnoverOf } from './turnover.sql.ts';

type Figure = keyof typeof FIGURES;
type Stored = Readonly<Record<Figure, bigint>>;
const FIGURE_NAMES = Object.keys(FIGURES) as Figure[];

/** The routes of the reports. They only read. */
export function reportsRoutes(services: Services): BoundRoute<Actor>[] {
  const { timeZone } = services;
  return [
    ...serveList(services, turnoverReport, async (request: ListRequest<typeof turnoverReport, Actor>) => {
      const { actor, query, on } = request;
      const chain = await chainTo(on, actor.id, query.id ?? actor.id);
      const parent = chain?.at(-1);
      if (!chain || !parent) throw notBelow('id');
      requireRoleOf(actor, parent.role, query.role);
      return {
        from: sql`(${turnoverOf({ childrenOf: parent.id }, { ...rangeOf(query), timeZone })}) t`,
        authority: everBelow('t', actor.id),
        key: sql`t.id`,
        select: sql`t.id, t.role, t.username, ${sql.join(FIGURE_NAMES.map((name) => sql`${FIGURES[name]} as ${sql.ref(name)}`))}`,
        toRow: (row: Stored & Named) => ({ id: row.id, role: row.role, username: row.username, ...inPoints(row) }),
        // Each look adds up the whole period anew.
        reading: 'atOnce',
        order: { username: asPeopleSort(sql`t.username`), ...FIGURES },
        totals: FIGURES,
        // The sums are made of it.
        filters: { period: null },
        of: () => ({ 'Accounts below': `${parent.username} (${parent.role})` }),
        extra: ({ sums }) => ({
          role: roleBelow(parent.role) ?? parent.role,
          parents: chain,
          summary: summaryOf(sums),
        }),
      };
    }),
    handle(figures, ({ query }, call) =>
      readReport(services, call, async (on) => {
        const { actor } = call;
        const account = (await chainTo(on, actor.id, query.id))?.at(-1);
        if (!account) throw notBelow('id');
        // A superadmin's play lies in many networks: it is that of its admins together.
        const subject = account.role === 'superadmin' ? { childrenOf: account.id } : { itself: account.id };
        const sums = FIGURE_NAMES.map((name) => sql`coalesce(sum(${FIGURES[name]}), 0)::bigint as ${sql.ref(name)}`);
        const [row] = await run<Stored>(
          on,
          sql`select ${sql.join(sums)} from (${turnoverOf(subject, { ...rangeOf(query), timeZone })}) t
            where ${everBelow('t', actor.id)}`,
        );
        return { data: { ...account, ...inPoints(row!) } };
      }),
    ),
  ];
}

interface Named {
  readonly id: string;
  readonly role: Role;
  readonly username: string;
}

/** The instants of a report; `endDate` is the last one that counts, to the millisecond. */
function rangeOf({ startDate, endDate }: { startDate: string; endDate: string }): { from: Date; until: Date } {
  return { from: new Date(startDate), until: new Date(Date.parse(endDate) + 1) };
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
