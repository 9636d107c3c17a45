import { weekDays, weekSheet, type WeekState } from '@drawhouse/contract/weeks/week-sheet';
import { percentOf, pointsOf, type Role } from '@drawhouse/contract/core/primitives';
import { WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { netOf, WEEK_FIGURES, type Weekday, type WeekFigures } from '@drawhouse/rules/records/week-balance';
import { chainTo, notInSubtree, type Actor, type ChainLink } from '../accounts/authority.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { naturalOrder, sql, type Sql } from '../platform/db/sql/sql.ts';
import { inSubtreeEver, selectVisible } from '../platform/db/visibility-predicate.ts';
import type { BoundRoute } from '../platform/http/handler.ts';
import type { ListRequest } from '../platform/lists/list-source.ts';
import { serveList } from '../platform/lists/serve-list.ts';
import type { Services } from '../platform/services.ts';
import { isDisputed } from './pair-records.sql.ts';
import { aboutWeek, readWeeks, weekOf, type AccountWeek, type Week } from './read-week.ts';

const SHOWN = ['carried', 'given', 'taken', 'play', 'win', 'commission', 'net', 'received', 'paid', 'balance'] as const;
type Shown = (typeof SHOWN)[number];
type Stored = Readonly<Record<Shown, bigint>>;

const FIGURES = Object.fromEntries(SHOWN.map((name) => [name, sql`w.${sql.ref(name)}`])) as Record<Shown, Sql>;
const SELECT = sql.join(SHOWN.map((name) => FIGURES[name]));

export function weekListRoutes(services: Services, firstWeekday: Weekday): BoundRoute<Actor>[] {
  const { timeZone } = services;
  return [
    ...serveList(services, weekSheet, async ({ actor, query, on, at }: ListRequest<typeof weekSheet, Actor>) => {
      const parents = await requireChain(on, actor, query.id);
      const parent = parents.at(-1)!;
      const week = weekOf({ at, timeZone, firstWeekday }, query.day);
      const weeks = await weeksOfChildren(on, actor, parent, week, timeZone);
      const rows = [...weeks].map(([id, { figures, ...each }]) => ({ id, ...texts(figures, each) }));
      return {
        from: sql`${recordset(rows, sql`id uuid`)} join accounts a on a.id = w.id`,
        authority: inSubtreeEver('a', actor),
        key: sql`a.id`,
        select: sql`a.id, a.username, a.role, ${SELECT}, coalesce((select balance from wallets c
          where c.network_id = ${networkOrColumnSql(singleNetworkOf(actor), 'a.network_id')} and c.owner_id = a.id
            and c.kind = ${sql.lit(WALLET_KINDS.credit)}), 0)::bigint as credit`,
        toRow: ({ id, username, role, credit, ...stored }: Stored & ChainLink & { credit: bigint }) => ({
          id,
          username,
          role,
          ...inPoints(stored),
          ...aboutPair(weeks.get(id)!),
          credit: pointsOf(credit),
          isCreditOwed: weeks.get(id)!.termsToday.share === null,
          afterwards: {
            received: pointsOf(weeks.get(id)!.afterwards.received),
            given: pointsOf(weeks.get(id)!.afterwards.given),
          },
        }),
        reading: 'atOnce',
        order: { username: naturalOrder(sql`a.username`), ...FIGURES },
        totals: FIGURES,
        search: (pattern: string) => sql`a.username ilike ${pattern}`,
        of: () => ({ 'Accounts below': `${parent.username} (${parent.role})`, Week: `${week.from} to ${week.to}` }),
        extra: () => ({ week: aboutWeek(week, timeZone), parents }),
      };
    }),
    ...serveList(services, weekDays, async ({ actor, query, on, at }: ListRequest<typeof weekDays, Actor>) => {
      const account = (await requireChain(on, actor, query.id)).at(-1)!;
      const week = weekOf({ at, timeZone, firstWeekday }, query.day);
      const { parent, sheet } = await weekOfAccount(on, account, week, timeZone);
      const rows = (sheet?.days ?? []).map(({ day, figures, balance }) => ({ day, ...texts(figures, { balance }) }));
      const { carried: _before, balance: _atEnd, ...totals } = FIGURES;
      const { carried: _ofWeek, ...ofDays } = FIGURES;
      return {
        from: sql`${recordset(rows, sql`day date`)} join accounts a on a.id = ${account.id}`,
        authority: inSubtreeEver('a', actor),
        isNarrowed: query.id !== undefined,
        key: sql`w.day`,
        select: sql`w.day::text, ${SELECT}`,
        toRow: ({ day, ...stored }: Stored & { day: string }) => ({ day, ...inPoints(stored) }),
        reading: 'atOnce',
        order: { day: sql`w.day`, ...ofDays },
        totals,
        of: () => ({
          Account: `${account.username} (${account.role})`,
          ...(parent && { 'Settles with': `${parent.username} (${parent.role})` }),
          Week: `${week.from} to ${week.to}`,
        }),
        extra: () => ({ week: aboutWeek(week, timeZone), account, parent, sheet: sheet ? aboutSheet(sheet) : null }),
      };
    }),
  ];
}

async function requireChain(on: Queryable, actor: Actor, id: string | undefined): Promise<ChainLink[]> {
  const chain = await chainTo(on, actor.id, id ?? actor.id);
  if (!chain) throw notInSubtree('id');
  return chain;
}

interface Child {
  readonly id: string;
  readonly role: Role;
  readonly network_id: number;
  readonly chain: readonly string[];
}

/** A superadmin's children are admins, each with its own network. */
async function weeksOfChildren(
  on: Queryable,
  actor: Actor,
  parent: ChainLink,
  week: Week,
  timeZone: string,
): Promise<ReadonlyMap<string, AccountWeek>> {
  const children = await on.query<Child>(
    selectVisible({
      select: sql`a.id, a.role, a.network_id, a.chain`,
      from: sql`accounts a`,
      authority: inSubtreeEver('a', actor),
      where: sql`a.parent_id = ${parent.id}`,
    }),
  );
  const weeks = new Map<string, AccountWeek>();
  for (const [networkId, siblings] of Map.groupBy(children, (child) => child.network_id)) {
    const { role, chain } = siblings[0]!;
    const ids = siblings.map(({ id }) => id);
    for (const each of await readWeeks(on, { networkId, above: chain.slice(0, -1), ids, role }, week, timeZone))
      weeks.set(...each);
  }
  return weeks;
}

/** The account may see its own week although it does not see its parent. */
async function weekOfAccount(on: Queryable, account: ChainLink, week: Week, timeZone: string) {
  const [found] = await on.query<Child & { parent: ChainLink | null }>(
    sql`select a.id, a.role, a.network_id, a.chain,
        (select json_build_object('id', p.id, 'username', p.username, 'role', p.role) from accounts p where p.id = a.parent_id) as parent
      from accounts a where a.id = ${account.id}`,
  );
  const { network_id: networkId, role, chain, parent } = found!;
  if (!parent) return { parent, sheet: undefined };
  const siblings = { networkId, above: chain.slice(0, -1), ids: [account.id], role };
  return { parent, sheet: (await readWeeks(on, siblings, week, timeZone)).get(account.id) };
}

/** Computed rows as a table, so search, order, totals and files work as in every list. */
function recordset(rows: readonly object[], key: Sql): Sql {
  const columns = sql.join(SHOWN.map((name) => sql`${sql.ref(name)} bigint`));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w (${key}, ${columns})`;
}

function texts(
  figures: WeekFigures,
  { carried = 0n, late = 0n, balance }: Pick<AccountWeek, 'balance'> & Partial<Pick<AccountWeek, 'carried' | 'late'>>,
): Record<string, string> {
  const all: Record<string, bigint> = { carried: carried + late, net: netOf(figures), balance };
  for (const name of WEEK_FIGURES) all[name] = figures[name];
  return Object.fromEntries(SHOWN.map((name) => [name, String(all[name])]));
}

function aboutPair({ since, terms: { share, commissionWithWeek }, closing, notes }: AccountWeek) {
  const state: WeekState = closing ? 'closed' : isDisputed(notes) ? 'disputed' : 'open';
  return {
    state,
    since: since ?? null,
    terms: {
      share: share === null ? null : percentOf(share),
      commission: commissionWithWeek ? ('week' as const) : ('atOnce' as const),
    },
  };
}

function aboutSheet(sheet: AccountWeek) {
  const { carried, late, balance, closing, notes } = sheet;
  return {
    carried: pointsOf(carried + late),
    late: pointsOf(late),
    balance: pointsOf(balance),
    closed: closing ? { at: closing.at.toISOString(), by: closing.by, note: closing.note } : null,
    notes: notes.map(({ id, at, by, kind, about, note }) => ({ _id: id, at: at.toISOString(), by, kind, about, note })),
    ...aboutPair(sheet),
  };
}

function inPoints(stored: Stored): Record<Shown, number> {
  return Object.fromEntries(SHOWN.map((name) => [name, pointsOf(stored[name])])) as Record<Shown, number>;
}
