import {
  addFigures,
  balanceAfter,
  NO_FIGURES,
  WEEK_FIGURES,
  type WeekFigures,
} from '@drawhouse/rules/records/week-balance';
import { TRANSFER_KINDS, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { addDays } from '@drawhouse/rules/time/zone-days';
import { checkWith, Findings, readPages, type Check } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** Payments to parents are not in the ledger. */
export async function auditWeeks(db: Queryable): Promise<Check[]> {
  return [await paymentsPaired(db), await closingsFollow(db), await closingsMatch(db)];
}

function paymentsPaired(db: Queryable): Promise<Check> {
  return checkWith(db)(
    'every payment is between an account and one above it, and every reversal mirrors its payment',
    'week_payments',
    sql`wrong as (
       select format('payment %s of network %s is of account %s, which is not in it', p.id, p.network_id, p.account_id) as problem
       from week_payments p left join accounts a on a.id = p.account_id and a.network_id = p.network_id where a.id is null
       union all
       select format('payment %s of network %s names account %s as a parent, which is no account', p.id, p.network_id, p.parent_id)
       from week_payments p where not exists (select from accounts a where a.id = p.parent_id)
       union all
       select format('payment %s of network %s reverses payment %s, but does not mirror it', r.id, r.network_id, r.reverses)
       from week_payments r left join week_payments p on p.network_id = r.network_id and p.id = r.reverses
       where r.reverses is not null and (p.account_id, p.parent_id, p.amount, p.incoming, p.reverses is null)
         is distinct from (r.account_id, r.parent_id, r.amount, not r.incoming, true)
     )`,
  );
}

interface Closing {
  readonly network_id: number;
  readonly id: string;
  readonly account_id: string;
  readonly parent_id: string;
  readonly from_day: string;
  readonly to_day: string;
  readonly carried: bigint;
  readonly late: bigint;
  readonly balance: bigint;
  readonly share: number | null;
  readonly commission_with_week: boolean;
  readonly terms: string;
  readonly days: Readonly<Record<string, Partial<Record<keyof WeekFigures, string>>>>;
}

/** Terms on a closing's first day. */
const TERMS = sql`coalesce((select concat(t.share, ' ', t.commission_with_week) from week_terms t
  where t.network_id = c.network_id and t.account_id = c.account_id and t.parent_id = c.parent_id and t.from_day <= c.from_day
  order by t.from_day desc, t.id desc limit 1), ' f')`;

async function closingsFollow(db: Queryable): Promise<Check> {
  const found = new Findings();
  const pairs = new Map<string, Closing[]>();
  let rows = 0;
  const select = sql`select c.network_id, c.id, c.account_id, c.parent_id, c.from_day::text, c.to_day::text, c.carried, c.late, c.balance,
    c.share, c.commission_with_week, c.days, ${TERMS} as terms from week_closings c`;
  for await (const page of readPages<Closing & Record<string, unknown>>(db, select, 'c')) {
    rows += page.length;
    for (const closing of page) {
      const key = `${closing.network_id} ${closing.account_id} ${closing.parent_id}`;
      const closings = pairs.get(key) ?? [];
      pairs.set(key, closings);
      closings.push(closing);
    }
  }
  for (const closings of pairs.values()) {
    const before: Closing[] = [];
    for (const closing of closings.toSorted((one, other) => (one.from_day < other.from_day ? -1 : 1))) {
      found.addAll(problemsOfClosing(closing, before));
      before.push(closing);
    }
  }
  return { name: 'every closed week follows the one before it and its terms', rows, problems: found.problems };
}

function problemsOfClosing(closing: Closing, before: readonly Closing[]): string[] {
  const last = before.at(-1);
  const { network_id, account_id, from_day, to_day, carried, late, balance, share, commission_with_week } = closing;
  const what = `the week ${from_day} to ${to_day} of account ${account_id} of network ${network_id}`;
  const problems: string[] = [];
  if (carried !== (last?.balance ?? 0n))
    problems.push(`${what} carries ${carried} hundredths, but the week before it ends with ${last?.balance ?? 0n}`);
  if (last && from_day !== addDays(last.to_day, 1)) problems.push(`${what} does not begin after ${last.to_day}`);
  if (closing.terms !== `${share ?? ''} ${commission_with_week ? 't' : 'f'}`)
    problems.push(`${what} was closed by other terms than those of its first day`);
  let sum = NO_FIGURES;
  for (const [day, stored] of Object.entries(closing.days)) {
    if (day > to_day || (day < from_day && !before.some((week) => week.from_day <= day)))
      problems.push(`${what} counts ${day}, which is not in it`);
    if (day >= from_day) sum = addFigures(sum, figuresOf(stored));
  }
  const changed = changeOfEarlier(closing, before);
  if (late !== changed)
    problems.push(`${what} adds ${late} hundredths of earlier weeks; their days changed by ${changed}`);
  const expected = balanceAfter(carried + late, sum, { share, commissionWithWeek: commission_with_week });
  if (expected !== balance) problems.push(`${what} ends with ${balance} hundredths; its figures come to ${expected}`);
  return problems;
}

/** Balance of the days of earlier weeks that a closing counts, minus what was counted before. */
function changeOfEarlier(closing: Closing, before: readonly Closing[]): bigint {
  const balanceBy = (
    closings: readonly Closing[],
    { from_day, to_day, share, commission_with_week }: Closing,
  ): bigint => {
    let sum = NO_FIGURES;
    for (let day = from_day; day <= to_day; day = addDays(day, 1))
      sum = addFigures(sum, figuresOf(closings.findLast(({ days }) => day in days)?.days[day] ?? {}));
    return balanceAfter(0n, sum, { share, commissionWithWeek: commission_with_week });
  };
  const changed = before.filter(({ from_day, to_day }) =>
    Object.keys(closing.days).some((day) => from_day <= day && day <= to_day),
  );
  return changed.reduce((sum, week) => sum + balanceBy([...before, closing], week) - balanceBy(before, week), 0n);
}

/** Zero for missing or, after manual changes, malformed figures. */
function figuresOf(stored: Partial<Record<keyof WeekFigures, unknown>>): WeekFigures {
  const amount = (value: unknown): bigint =>
    typeof value === 'string' && /^-?\d{1,18}$/.test(value) ? BigInt(value) : 0n;
  return Object.fromEntries(WEEK_FIGURES.map((name) => [name, amount(stored[name])])) as never;
}

const kind = (name: keyof typeof TRANSFER_KINDS): number => TRANSFER_KINDS[name];
const sumOf = (name: keyof WeekFigures): string =>
  `(select coalesce(sum((d.value ->> '${name}')::numeric), 0) from jsonb_each(c.days) as d where d.key >= c.from_day::text)`;

/** Later restores or clearings may change a closed week, which the next open week shows as late. */
function closingsMatch(db: Queryable): Promise<Check> {
  const credit = (from: string, to: string, kinds: string): string => `coalesce((
    select sum(t.amount) from transfers t
    join wallets inner_wallet on inner_wallet.network_id = t.network_id and inner_wallet.id = t.${to}
    join wallets outer_wallet on outer_wallet.network_id = t.network_id and outer_wallet.id = t.${from}
    join accounts a on a.id = inner_wallet.owner_id
    left join accounts o on o.id = outer_wallet.owner_id and outer_wallet.kind = ${WALLET_KINDS.credit}
    where t.network_id = c.network_id and t.at >= c.starts and t.at < c.ends and t.kind in (${kinds})
      and a.chain @> array[c.account_id] and not coalesce(o.chain @> array[c.account_id], false)), 0)`;
  const rollup = (
    column: string,
  ): string => `coalesce((select sum(${column}) from rollups r where r.network_id = c.network_id
    and r.account_id = c.account_id and r.grain = 'day' and r.starts_at >= c.starts and r.starts_at < c.ends), 0)`;
  const payment = (incoming: boolean): string => `coalesce((select sum(amount) from week_payments p
    where p.network_id = c.network_id and p.account_id = c.account_id and p.parent_id = c.parent_id and p.at >= c.starts and p.at < c.ends
      and p.incoming = ${incoming}), 0)`;
  const commissions = 'super_commission + dist_commission + retail_commission + user_commission';
  const facts: Readonly<Partial<Record<keyof WeekFigures, string>>> = {
    given: credit('from_wallet', 'to_wallet', `${kind('give')}`),
    taken: credit('to_wallet', 'from_wallet', `${kind('takeBack')}, ${kind('return')}`),
    play: rollup('stake'),
    win: rollup('win'),
    commission: rollup(commissions),
    received: payment(true),
    paid: payment(false),
  };
  const each = Object.entries(facts).map(([name, fact]) => `('${name}', ${sumOf(name as keyof WeekFigures)}, ${fact})`);
  return checkWith(db)(
    'every closed week equals the transfers, settlements and payments of its days',
    'week_closings',
    sql`standing as (
       select w.*, day_start(w.from_day, zone.value) as starts, day_start(w.to_day + 1, zone.value) as ends
       from week_closings w cross join pinned_settings zone where zone.name = 'time-zone'
         and not exists (select from restores r where r.network_id = w.network_id and r.at >= w.at)
         and not exists (select from moves m where m.network_id = w.network_id and m.at >= w.at)
         and not exists (select from clearings g where g.network_id = w.network_id
           and g.model in ('refertransaction', 'commission') and g.starts_at < day_start(w.to_day + 1, zone.value)
           and g.ends_at >= day_start(w.from_day, zone.value))
     ), wrong as (
       select format('the week %s to %s of account %s of network %s has %s hundredths %s; its days come to %s', c.from_day, c.to_day,
         c.account_id, c.network_id, said, name, fact) as problem
       from standing c cross join lateral (values ${sql.raw(each.join(', '))}) as compared (name, said, fact) where said <> fact
     )`,
  );
}
