import {
  liabilityDays,
  liabilityReport,
  type AuditVerdict,
  type LiabilityFigure,
} from '@drawhouse/contract/liability/liability';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { HOLDINGS, ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../accounts/authority.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { naturalOrder, sql, type Sql } from '../platform/db/sql/sql.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { BoundRoute } from '../platform/http/handler.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { inSubtreeEver, selectVisible } from '../platform/db/visibility-predicate.ts';
import { WALLET_HOLDINGS, sumsBy } from './sum-days.ts';
import { lastVerdicts, type StoredVerdict } from './verdicts.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import { ACCOUNT_TEXTS } from '../accounts/accounts-texts.ts';

const FIGURES: Readonly<Record<LiabilityFigure, Sql>> = {
  playerCredit: sql`h.player_credit`,
  escrow: sql`h.escrow`,
  winnings: sql`h.winnings`,
  owedToPlayers: sql`(h.player_credit + h.escrow + h.winnings)`,
  commission: sql`h.commission`,
  staffCredit: sql`h.staff_credit`,
  tables: sql`h.tables`,
  inAll: sql`(-h.outside)`,
};
const FIGURE_NAMES = Object.keys(FIGURES) as LiabilityFigure[];
const SELECT = sql.join(FIGURE_NAMES.map((name) => sql`${FIGURES[name]} as ${sql.ref(name)}`));
type Stored = Readonly<Record<LiabilityFigure, bigint>>;

export function liabilityRoutes(services: Services): BoundRoute<Actor>[] {
  return [
    ...serveList(
      services,
      liabilityReport,
      async ({ actor, query, on }: ListRequest<typeof liabilityReport, Actor>) => {
        await requireNetwork(on, actor, query.id);
        const audits = await lastVerdicts(on);
        return {
          from: sql`networks n join accounts a on a.id = n.admin_id
          cross join lateral (select ${sql.raw(sumsBy('balance'))}
            from (${WALLET_HOLDINGS} where w.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'n.id')}) as held) as h`,
          authority: inSubtreeEver('a', actor),
          where: query.id === undefined || query.id === actor.id ? sql`true` : sql`a.id = ${query.id}`,
          isNarrowed: query.id !== undefined,
          key: sql`a.id`,
          select: sql`a.id, a.username, ${SELECT}`,
          toRow: (row: Stored & { id: string; username: string }) => ({
            id: row.id,
            username: row.username,
            ...inPoints(row),
          }),
          reading: 'atOnce',
          order: { username: naturalOrder(sql`a.username`), ...FIGURES },
          totals: FIGURES,
          search: (pattern: string) => sql`a.username ilike ${pattern}`,
          extra: () => ({
            role: actor.role,
            audits: { whole: shown(audits.whole, actor), daily: shown(audits.daily, actor) },
          }),
        };
      },
    ),
    ...serveList(
      services,
      liabilityDays,
      async ({ actor, query, on, timeZone }: ListRequest<typeof liabilityDays, Actor>) => {
        const { id } = query;
        await requireNetwork(on, actor, id);
        const from = sql`networks n join liability_days d on d.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'n.id')}
          join accounts a on a.id = n.admin_id`;
        const authority = inSubtreeEver('a', actor);
        const isAsked = id === undefined || id === actor.id ? sql`true` : sql`a.id = ${id}`;
        const [first] = await on.query<{ since: string | null }>(
          selectVisible({ select: sql`min(d.day)::text as since`, from, authority, where: isAsked }),
        );
        const sums = HOLDINGS.map((name) => sql`sum(d.${sql.ref(name)})::bigint as ${sql.ref(name)}`);
        return {
          from,
          authority,
          where: sql`${isAsked} and d.day between (${new Date(query.startDate)}::timestamptz at time zone ${timeZone})::date
            and (${new Date(query.endDate)}::timestamptz at time zone ${timeZone})::date`,
          summed: { select: sql`d.day, ${sql.join(sums)}`, by: sql`d.day`, as: sql`h` },
          key: sql`h.day`,
          select: sql`h.day::text, ${SELECT}`,
          toRow: (row: Stored & { day: string }) => ({ day: row.day, ...inPoints(row) }),
          reading: 'atOnce',
          order: { day: sql`h.day`, ...FIGURES },
          filters: { period: null },
          extra: () => ({ role: actor.role, since: first!.since }),
        };
      },
    ),
  ];
}

async function requireNetwork(on: Queryable, actor: Actor, id: string | undefined): Promise<void> {
  if (id === undefined || id === actor.id) return;
  const found = await on.query(
    sql`select from networks n join accounts a on a.id = n.admin_id
      where a.id = ${id} and n.id <> ${ROOT_NETWORK} and ${inSubtreeEver('a', actor)}`,
  );
  if (found.length === 0)
    throw new CallError('NOT_FOUND', {
      fields: { id: ACCOUNT_TEXTS.noNetwork },
    });
}

function inPoints(row: Stored): Record<LiabilityFigure, number> {
  return Object.fromEntries(FIGURE_NAMES.map((name) => [name, pointsOf(row[name])])) as never;
}

/** Findings may concern any network, so only superadmins see them. */
function shown(verdict: StoredVerdict | undefined, { role }: Actor): AuditVerdict | null {
  if (!verdict) return null;
  const { at, checks, problems, finding } = verdict;
  return { at: at.toISOString(), checks, problems, finding: role === 'superadmin' ? finding : null };
}
