import { ROOT_NETWORK } from '@drawhouse/rules/ledger-kinds';
import { PATIENT } from '../db/patience.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { Services } from '../services.ts';
import { eachHolding, HELD_BESIDE, HELD_WALLETS, movedBetween, sumsBy } from './holdings.sql.ts';
import { keepVerdict, lastVerdicts } from './verdicts.ts';
import type { CheckedPart } from './verdicts.ts';
import { overNetworks } from '../over-networks.ts';
import { sql } from '../db/sql.ts';

/**
 * A day is summed so long after its end: by then every transaction of it has ended, also of a server whose clock is behind. The audit takes no
 * later one.
 */
const AFTER_END_MS = 3_600_000;
/** Held while a day is summed: one server does it. */
const LOCK = 3_407_518;

/** The auditor's look at the balances, which is given the end of the last day that is summed. */
export type CheckBalances = (on: Queryable, since: Date) => Promise<readonly CheckedPart[]>;

/**
 * Does the next of what is due: sums one day that is over, or looks at the balances once a day. Gives whether it did: there may be more.
 * Several servers may do it at once.
 */
export async function sumNextDue(services: Services, checkBalances: CheckBalances): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as mine`,
    );
    return mine && ((await sumNextDay(services, tx)) || (await lookAtBalances(services, tx, checkBalances)));
  }, PATIENT);
}

/** The next day to be summed: its first instant, and its last, which it does not hold. */
interface NextDay {
  readonly day: string;
  readonly until: Date;
  readonly from: Date | null;
}

/** Sums the first day that is over and not summed yet. Gives false where there is none. */
async function sumNextDay({ clock, timeZone }: Services, tx: Tx): Promise<boolean> {
  const over = new Date(clock.now().getTime() - AFTER_END_MS);
  await takeBackDaysAhead(tx, over, timeZone);
  const next = await nextDay(tx, over, timeZone);
  if (!next || over < next.until) return false;
  await tx.query(
    `${overNetworks('days')} with held as materialized (${HELD_WALLETS} where w.network_id in (select id from networks)), moved_now as (${movedBetween("coalesce($2, '-infinity')", '$3')}),
     -- Of a day that is summed again after a clock was ahead, movements may have been cleared.
     flows as (
       select network_id, ${eachHolding((name) => `sum(${name})::bigint as ${name}`)} from (
         select * from moved_now
         union all select network_id, ${eachHolding((name) => name)} from cleared_days
           where day = $1::date and network_id in (select id from networks)
       ) as parts group by network_id
     ),
     before as (select * from liability_days where day = $1::date - 1 and network_id in (select id from networks)),
     summed as (select ${ROOT_NETWORK} as network_id union select network_id from before union select network_id from flows)
     insert into liability_days (network_id, day, ${eachHolding((name) => name)})
     select s.network_id, $1::date, ${eachHolding((name) => `coalesce(b.${name}, 0) + coalesce(f.${name}, 0)`)}
     from summed s left join before b on b.network_id = s.network_id left join flows f on f.network_id = s.network_id`,
    [next.day, next.from, next.until],
  );
  return true;
}

/**
 * Deletes the sums from the day on that holds an instant, where that day has one: a clock that was hours ahead made them, and transfers of these
 * days may have come since. They are summed again when they are over by the clock of whoever deletes them.
 */
async function takeBackDaysAhead(tx: Tx, at: Date, timeZone: string): Promise<void> {
  await tx.query(
    sql`with today as materialized (select (${at}::timestamptz at time zone ${timeZone})::date as day)
     delete from liability_days where day >= (select day from today)
       and exists (select from liability_days where network_id = ${sql.lit(ROOT_NETWORK)} and day = (select day from today)) ${sql.raw(overNetworks('days'))}`,
  );
}

/**
 * The day after the last one that is summed; before the first that of the first transfer, from the beginning on, where that is of a day that was over at an instant: on
 * the first day of all, whose transfers have no sums yet, none is read.
 */
async function nextDay(on: Queryable, over: Date, timeZone: string): Promise<NextDay | undefined> {
  const [row] = await on.query<NextDay>(
    `select day::text, day_start(day + 1, $1) as until, case when last is not null then day_start(day, $1) end as "from"
     from (select max(day) as last from liability_days where network_id = ${ROOT_NETWORK}) as summed,
       lateral (select coalesce(last + 1, (select (min(at) at time zone $1)::date from transfers
         where last is null and at < day_start($2::timestamptz, $1))) as day) as next
     where day is not null ${overNetworks('days')}`,
    [timeZone, over],
  );
  return row;
}

/**
 * Sums the days that are missing of a network which stands beside while a backup is restored, up to the last that is summed of the others: where it comes from,
 * a day more may have been. No other is summed until the transaction ends.
 */
export async function sumDaysBeside({ timeZone }: Services, tx: Tx, networkId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`);
  await tx.query(
    sql`delete from liability_days where network_id = ${networkId}
       and day > coalesce((select max(day) from liability_days where network_id = ${sql.lit(ROOT_NETWORK)}), '-infinity')`,
  );
  const [last] = await tx.query<{ missing: boolean }>(
    sql`select (select max(day) from liability_days where network_id = ${networkId})
              is distinct from (select max(day) from liability_days where network_id = ${sql.lit(ROOT_NETWORK)}) as missing`,
  );
  // All its transfers would be read for nothing.
  if (!last!.missing) return;
  await tx.query(
    `with last as materialized (select * from liability_days where network_id = $1 order by day desc limit 1),
     held as materialized (${HELD_BESIDE} where w.network_id = $1),
     moved as materialized (
       select (t.at at time zone $2)::date as day, side.id, side.amount from transfers t
       cross join lateral (values (t.to_wallet, t.amount), (t.from_wallet, -t.amount)) as side (id, amount)
       where t.network_id = $1 and t.at >= coalesce((select day_start(day + 1, $2) from last), '-infinity')
     ),
     flows as materialized (select day, ${sumsBy('amount')} from moved join held using (id) group by day),
     days as (
       select day::date from generate_series(
         coalesce((select day + 1 from last), (select min(day) from flows)),
         (select max(day) from liability_days where network_id = ${ROOT_NETWORK}), interval '1 day') as day
     )
     insert into liability_days (network_id, day, ${eachHolding((name) => name)})
     select $1, d.day, ${eachHolding((name) => `coalesce((select ${name} from last), 0) + coalesce(sum(f.${name}) over to_day, 0)`)}
     from days d left join flows f on f.day = d.day window to_day as (order by d.day)`,
    [networkId, timeZone],
  );
}

/** Looks at the balances once for each day that is summed. Gives whether it did. */
async function lookAtBalances(services: Services, tx: Tx, checkBalances: CheckBalances): Promise<boolean> {
  const next = await nextDay(tx, services.clock.now(), services.timeZone);
  if (!next?.from) return false;
  const { daily } = await lastVerdicts(tx);
  if (daily && daily.at >= next.from) return false;
  await keepVerdict(tx, services, 'daily', await checkBalances(tx, next.from));
  return true;
}
