import { type Holding, HOLDINGS, ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import { FILE_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { type CheckedPart, keepVerdict, lastVerdicts } from './verdicts.ts';
import { crossNetworkComment } from '../platform/db/cross-network-sql.ts';
import { inKinds, sql, type Sql } from '../platform/db/sql/sql.ts';

/** After a day's end, so even transactions of slow clocks have ended. The audit uses the same bound. */
const AFTER_END_MS = 3_600_000;
/** One server sums at a time. */
const LOCK = 3_407_518;

export type CheckBalances = (on: Queryable, since: Date) => Promise<readonly CheckedPart[]>;

/** Sums one finished day, or audits balances once a day. Returns true if more may be due. Safe on several servers. */
export async function sumNextDue(services: Services, checkBalances: CheckBalances): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as mine`,
    );
    return mine && ((await sumNextDay(services, tx)) || (await recordNegativeBalances(services, tx, checkBalances)));
  }, FILE_TIMEOUTS);
}

interface NextDay {
  readonly day: string;
  readonly until: Date;
  readonly from: Date | null;
}

async function sumNextDay({ clock, timeZone }: Services, tx: Tx): Promise<boolean> {
  const over = new Date(clock.now().getTime() - AFTER_END_MS);
  await takeBackDaysAhead(tx, over, timeZone);
  const next = await nextDay(tx, over, timeZone);
  if (!next || over < next.until) return false;
  await tx.query(
    sql`${sql.raw(crossNetworkComment('days'))} with held as materialized (${WALLET_HOLDINGS}
      where w.network_id in (select id
      from networks)), moved_now as (${movedBetween(sql`coalesce(${next.from}, '-infinity')`, sql`${next.until}`)}),
     -- A day summed again after a clock error may have cleared movements.
     flows as (
       select network_id, ${sql.raw(eachHolding((name) => `sum(${name})::bigint as ${name}`))} from (
         select * from moved_now
         union all select network_id, ${sql.raw(eachHolding((name) => name))} from cleared_days
           where day = ${next.day}::date and network_id in (select id from networks)
       ) as parts group by network_id
     ),
     before as (select * from liability_days where day = ${next.day}::date - 1 and network_id in (select id from networks)),
     summed as (select ${sql.lit(ROOT_NETWORK)} as network_id union select network_id from before union select network_id from flows)
     insert into liability_days (network_id, day, ${sql.raw(eachHolding((name) => name))})
     select s.network_id, ${next.day}::date, ${sql.raw(eachHolding((name) => `coalesce(b.${name}, 0) + coalesce(f.${name}, 0)`))}
     from summed s left join before b on b.network_id = s.network_id left join flows f on f.network_id = s.network_id`,
  );
  return true;
}

/** A fast clock made these sums too early. They are summed again when due. */
async function takeBackDaysAhead(tx: Tx, at: Date, timeZone: string): Promise<void> {
  await tx.query(
    sql`with today as materialized (select (${at}::timestamptz at time zone ${timeZone})::date as day)
     delete from liability_days where day >= (select day from today)
       and exists (select from liability_days where network_id = ${sql.lit(ROOT_NETWORK)} and day = (select day
         from today)) ${sql.raw(crossNetworkComment('days'))}`,
  );
}

/** Initially the day of the first transfer, if over; its sums then start from zero. */
async function nextDay(on: Queryable, over: Date, timeZone: string): Promise<NextDay | undefined> {
  const [row] = await on.query<NextDay>(
    sql`select day::text, day_start(day + 1, ${timeZone}) as until, case when last is not null then day_start(day, ${timeZone})
      end as "from"
     from (select max(day) as last from liability_days where network_id = ${sql.lit(ROOT_NETWORK)}) as summed,
       lateral (select coalesce(last + 1, (select (min(at) at time zone ${timeZone})::date from transfers
         where last is null and at < day_start(${over}::timestamptz, ${timeZone}))) as day) as next
     where day is not null ${sql.raw(crossNetworkComment('days'))}`,
  );
  return row;
}

/** Up to the others' last summed day. Blocks other summing until commit. */
export async function sumStagedDays({ timeZone }: Services, tx: Tx, networkId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`);
  await tx.query(
    sql`delete from liability_days where network_id = ${networkId}
       and day > coalesce((select max(day) from liability_days where network_id = ${sql.lit(ROOT_NETWORK)}), '-infinity')`,
  );
  const [last] = await tx.query<{ missing: boolean }>(
    sql`select (select max(day) from liability_days where network_id = ${networkId})
              is distinct from (select max(day) from liability_days where network_id = ${sql.lit(ROOT_NETWORK)}) as missing`,
  );
  if (!last!.missing) return;
  await tx.query(
    sql`with last as materialized (select * from liability_days where network_id = ${networkId} order by day desc limit 1),
     held as materialized (${STAGED_HOLDINGS} where w.network_id = ${networkId}),
     moved as materialized (
       select (t.at at time zone ${timeZone})::date as day, side.id, side.amount from transfers t
       cross join lateral (values (t.to_wallet, t.amount), (t.from_wallet, -t.amount)) as side (id, amount)
       where t.network_id = ${networkId} and t.at >= coalesce((select day_start(day + 1, ${timeZone}) from last), '-infinity')
     ),
     flows as materialized (select day, ${sql.raw(sumsBy('amount'))} from moved join held using (id) group by day),
     days as (
       select day::date from generate_series(
         coalesce((select day + 1 from last), (select min(day) from flows)),
         (select max(day) from liability_days where network_id = ${sql.lit(ROOT_NETWORK)}), interval '1 day') as day
     )
     insert into liability_days (network_id, day, ${sql.raw(eachHolding((name) => name))})
     select ${networkId}, d.day,
       ${sql.raw(eachHolding((name) => `coalesce((select ${name} from last), 0) + coalesce(sum(f.${name}) over to_day, 0)`))}
     from days d left join flows f on f.day = d.day window to_day as (order by d.day)`,
  );
}

async function recordNegativeBalances(services: Services, tx: Tx, checkBalances: CheckBalances): Promise<boolean> {
  const next = await nextDay(tx, services.clock.now(), services.timeZone);
  if (!next?.from) return false;
  const { daily } = await lastVerdicts(tx);
  if (daily && daily.at >= next.from) return false;
  await keepVerdict(tx, services, 'daily', await checkBalances(tx, next.from));
  return true;
}

function eachHolding(of: (holding: Holding) => string): string {
  return HOLDINGS.map(of).join(', ');
}

const { credit, commission, winnings, table, escrow } = sql.lits(WALLET_KINDS);

/** For wallet `w`; needs {@link WITH_OWNER} after its FROM. */
const HOLDING = sql`case w.kind
  when ${credit} then case when a.role = 'user' then 'player_credit' else 'staff_credit' end
  when ${escrow} then 'escrow' when ${winnings} then 'winnings' when ${commission} then 'commission' when ${table} then 'tables'
  else 'outside' end`;
const WITH_OWNER = sql`left join accounts a on w.kind in ${inKinds(WALLET_KINDS, 'credit')} and a.id = w.owner_id`;

const STAGED_HOLDINGS = sql`select w.network_id, w.id, ${HOLDING} as holding from wallets w
  left join staged_accounts a on a.network_id = w.network_id and a.id = w.owner_id`;

export const WALLET_HOLDINGS = sql`select w.network_id, w.id, w.balance, ${HOLDING} as holding from wallets w ${WITH_OWNER}`;

export function sumsBy(expression: string): string {
  return eachHolding((name) => `coalesce(sum(${expression}) filter (where holding = '${name}'), 0)::bigint as ${name}`);
}

/** Movements within a network in [from, until). Excludes cleared ones. `held` is {@link WALLET_HOLDINGS}. */
function movedBetween(from: Sql, until: Sql): Sql {
  const within = sql`at >= ${from}::timestamptz and at < ${until}::timestamptz`;
  return sql`select network_id, ${sql.raw(sumsBy('amount'))} from (
      select network_id, id, sum(amount) as amount from (
        select network_id, to_wallet as id, amount from transfers where ${within}
        union all select network_id, from_wallet, -amount from transfers where ${within}
      ) as sides group by network_id, id
    ) as moved join held using (network_id, id) group by network_id`;
}
