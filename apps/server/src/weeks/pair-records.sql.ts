import {
  NO_FIGURES,
  USUAL_TERMS,
  WEEK_FIGURES,
  type WeekFigures,
  type WeekTerms,
} from '@drawhouse/rules/records/week-balance';
import type { NoteKind } from '@drawhouse/contract/weeks/close-weeks';
import { reopenedAt } from '../activity/network-work/closed-books.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import type { Days, Siblings } from './week-figures.sql.ts';

export interface Closing extends WeekTerms {
  readonly id: string;
  readonly at: Date;
  /** Days, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly carried: bigint;
  readonly late: bigint;
  readonly balance: bigint;
  readonly by: string;
  readonly note: string;
}

/** Figures when the week was closed, and of days of earlier weeks that had changed until then. */
export type ClosedDays = ReadonlyMap<string, WeekFigures>;

interface DatedTerms extends WeekTerms {
  readonly from: string;
}

/** Records between an account and its present parent, in order of time. */
export interface PairRecords {
  readonly payments: ReadonlyMap<string, Pick<WeekFigures, 'received' | 'paid'>>;
  readonly terms: readonly DatedTerms[];
  readonly closings: readonly Closing[];
  readonly notes: readonly WeekNote[];
  readonly cleared: readonly ClearedDays[];
}

/** Days without credit, or without paid-out commission. */
interface ClearedDays extends Days {
  readonly at: Date;
  readonly isCommission: boolean;
}

export interface WeekNote {
  readonly id: string;
  readonly at: Date;
  readonly by: string;
  readonly from: string;
  readonly kind: NoteKind;
  readonly about: string;
  readonly note: string;
}

/** A dispute is open until either side answers. */
export function isDisputed(notes: readonly Pick<WeekNote, 'kind'>[]): boolean {
  return notes.findLast(({ kind }) => kind === 'dispute' || kind === 'answer')?.kind === 'dispute';
}

interface OfAccount {
  readonly account_id: string;
}
type StoredTerms = OfAccount & { from_day: string; share: number | null; commission_with_week: boolean };
type StoredClosing = StoredTerms & {
  to_day: string;
  id: string;
  at: Date;
  carried: bigint;
  late: bigint;
  balance: bigint;
  by: string;
  note: string;
};

export async function readPairRecords(
  on: Queryable,
  { networkId, ids, above }: Siblings,
  timeZone: string,
): Promise<ReadonlyMap<string, PairRecords>> {
  const ofPairs = sql`network_id = ${networkId} and parent_id = ${above.at(-1)} and account_id = any(${ids}::uuid[])`;
  const payments = await on.query<OfAccount & { day: string; received: bigint; paid: bigint }>(
    sql`select account_id, (at at time zone ${timeZone})::date::text as day,
        coalesce(sum(amount) filter (where incoming), 0)::bigint as received,
        coalesce(sum(amount) filter (where not incoming), 0)::bigint as paid
      from week_payments where ${ofPairs} group by 1, 2`,
  );
  const terms = await on.query<StoredTerms>(
    sql`select account_id, from_day::text, share, commission_with_week from week_terms where ${ofPairs} order by from_day, id`,
  );
  const closings = await on.query<StoredClosing>(
    sql`select account_id, from_day::text, to_day::text, id, at, carried, late, balance, note, share, commission_with_week,
        (select username from accounts a where a.id = actor_id) as by
      from week_closings where ${ofPairs} order by from_day`,
  );
  const notes = await on.query<OfAccount & WeekNote>(
    sql`select n.account_id, n.id, n.at, n.from_day::text as from, n.kind, n.about, n.note, a.username as by
      from week_notes n join accounts a on a.id = n.actor_id
      where n.network_id = ${networkId} and n.parent_id = ${above.at(-1)} and n.account_id = any(${ids}::uuid[]) order by n.id`,
  );
  const cleared = await on.query<ClearedDays & Record<string, unknown>>(
    sql`select (starts_at at time zone ${timeZone})::date::text as from, ((ends_at at time zone ${timeZone})::date - 1)::text as to,
        started_at as at, model = 'commission' as "isCommission"
      from clearings where network_id = ${networkId} and model in ('refertransaction', 'commission') order by started_at`,
  );
  const [paymentsOf, termsOf, closingsOf, notesOf] = [
    Map.groupBy(payments, accountOf),
    Map.groupBy(terms, accountOf),
    Map.groupBy(closings, accountOf),
    Map.groupBy(notes, accountOf),
  ];
  return new Map(
    ids.map((id) => [
      id,
      {
        payments: new Map((paymentsOf.get(id) ?? []).map(({ day, received, paid }) => [day, { received, paid }])),
        terms: (termsOf.get(id) ?? []).map((row) => ({ from: row.from_day, ...toTerms(row) })),
        closings: (closingsOf.get(id) ?? []).map(toClosing),
        notes: notesOf.get(id) ?? [],
        cleared,
      },
    ]),
  );
}

const accountOf = ({ account_id: id }: OfAccount): string => id;

function toTerms({ share, commission_with_week: commissionWithWeek }: StoredTerms): WeekTerms {
  return { share, commissionWithWeek };
}

function toClosing(row: StoredClosing): Closing {
  const { id, at, from_day: from, to_day: to, carried, late, balance, by, note } = row;
  return { id, at, from, to, carried, late, balance, by, note, ...toTerms(row) };
}

/** Keyed by closing. Read separately, because they are most of a closed week and few are needed. */
export async function readClosedDays(
  on: Queryable,
  networkId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ClosedDays>> {
  if (ids.length === 0) return new Map();
  const rows = await on.query<{
    id: string;
    days: Readonly<Record<string, Readonly<Partial<Record<keyof WeekFigures, string>>>>>;
  }>(sql`select id, days from week_closings where network_id = ${networkId} and id = any(${ids}::uuid[])`);
  return new Map(
    rows.map(({ id, days }) => [
      id,
      new Map(Object.entries(days).map(([day, figures]) => [day, figuresFrom(figures)] as const)),
    ]),
  );
}

/** Last end of a restore, undone restore or move, which change past days. */
export async function readReopening(on: Queryable, networkId: number): Promise<Date | null> {
  const [row] = await on.query<{ at: Date | null }>(sql`select ${reopenedAt(sql`${networkId}::int`)} as at`);
  return row!.at;
}

function figuresFrom(stored: Readonly<Partial<Record<keyof WeekFigures, string>>>): WeekFigures {
  return Object.fromEntries(WEEK_FIGURES.map((name) => [name, BigInt(stored[name] ?? 0)])) as never;
}

/** Amounts as text, because JSON numbers lose digits. Leaves out zeros. */
export function storedDays(days: Iterable<readonly [string, WeekFigures]>): string {
  const stored = [...days].map(([day, figures]) => [
    day,
    Object.fromEntries(
      WEEK_FIGURES.filter((name) => figures[name] !== 0n).map((name) => [name, String(figures[name])]),
    ),
  ]);
  return JSON.stringify(Object.fromEntries(stored));
}

export function termsOn({ terms }: Pick<PairRecords, 'terms'>, day: string): WeekTerms {
  const { share, commissionWithWeek } = terms.findLast(({ from }) => from <= day) ?? USUAL_TERMS;
  return { share, commissionWithWeek };
}

export const NO_RECORDS: PairRecords = { payments: new Map(), terms: [], closings: [], notes: [], cleared: [] };

export function withPayments(
  figures: WeekFigures | undefined,
  payments: PairRecords['payments'],
  day: string,
): WeekFigures {
  return { ...(figures ?? NO_FIGURES), ...payments.get(day) };
}
