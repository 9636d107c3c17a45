import type { Cleared } from '@drawhouse/contract/clearing/clearing';
import type { ClearingModel, KeepReason } from '@drawhouse/contract/clearing/clearing-texts';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { addDays, dayOf } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import type { Period } from '../platform/time/clock.ts';
import { logRange, openingsOf } from './clear-model.ts';
import { sql, type Sql } from '../platform/db/sql/sql.ts';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { firstOpenDay } from '../weeks/first-open-day.ts';
import { CLEARING_ANSWERS } from './clearing-texts.ts';

interface Judged {
  readonly stays: KeepReason | null;
  readonly rows: bigint;
  /** Null if meaningless. */
  readonly amount: bigint | null;
}

const TABLES: Record<ClearingModel, readonly string[]> = {
  usertransaction: ['transfers'],
  refertransaction: ['transfers'],
  commission: ['transfers'],
  ticket: [
    'tickets',
    'player_settlements',
    'settled_remainders',
    'ticket_wins',
    'ticket_claims',
    'exposures',
    'draw_settlements',
    'draw_settlings',
    'settlement_pieces',
  ],
  result: ['activity'],
  draw: ['draws'],
  upcome: ['activity'],
  userlog: ['activity'],
  user: [],
  frequency: [],
};

export async function countModel(
  on: Queryable,
  networkId: number,
  model: ClearingModel,
  period: Period,
  others: readonly ClearingModel[],
): Promise<Cleared> {
  const judged = await judge(on, networkId, model, period, others.includes('ticket'));
  const cleared = judged.find(({ stays }) => stays === null);
  const rows = Number(cleared?.rows ?? 0n);
  return {
    model,
    rows,
    bytes: Math.round(rows * (await bytesOfRow(on, model))),
    points: cleared?.amount == null ? null : pointsOf(cleared.amount),
    left: leftOf(judged),
  };
}

export async function countLeft(
  on: Queryable,
  networkId: number,
  model: ClearingModel,
  period: Period,
): Promise<Cleared['left']> {
  return leftOf(await judge(on, networkId, model, period));
}

function leftOf(judged: readonly Judged[]): Cleared['left'] {
  return judged.flatMap(({ stays, rows }) => (stays === null ? [] : [{ rows: Number(rows), why: stays }]));
}

async function judge(
  on: Queryable,
  networkId: number,
  model: ClearingModel,
  { from, until }: Period,
  withTickets = false,
): Promise<readonly Judged[]> {
  const grouped = (rows: Sql, source: Sql): Promise<Judged[]> =>
    on.query<Judged>(sql`select stays, ${rows} from ${source} group by stays order by stays`);
  const counted = sql`count(*) as rows, null::bigint as amount`;
  switch (model) {
    case 'usertransaction':
    case 'refertransaction':
    case 'commission':
      return grouped(
        sql`count(*) as rows, sum(amount)::bigint as amount`,
        sql`judged_transfers(${networkId}, ${model}, ${from}, ${until})`,
      );
    case 'ticket':
      return grouped(
        sql`sum(tickets)::bigint as rows, null::bigint as amount`,
        sql`judged_plays(${networkId}, ${from}, ${until})`,
      );
    case 'draw': {
      const { first, last } = await openingsOf(on, networkId, { from, until });
      return grouped(counted, sql`judged_draws(${networkId}, ${from}, ${until}, ${first}, ${last}, ${withTickets})`);
    }
    case 'result':
    case 'upcome':
    case 'userlog': {
      const { first, last } = await logRange(on, networkId, { from, until });
      return grouped(counted, sql`judged_log(${networkId}, ${model}, ${from}, ${until}, ${first}, ${last})`);
    }
    case 'user':
      return grouped(counted, sql`judged_accounts(${networkId}, ${from}, ${until})`);
    case 'frequency':
      return grouped(counted, sql`judged_frequency(${networkId}, ${from}, ${until})`);
  }
}

/** Includes dependents and indexes. */
async function bytesOfRow(on: Queryable, model: ClearingModel): Promise<number> {
  const [row] = await on.query<{ bytes: number | null }>(
    sql`select (sum(pg_total_relation_size(c.oid))
             / nullif(max(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid))) filter (where c.relname =
               (${TABLES[model]}::text[])[1]), 0))::float8 as bytes
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = any(${TABLES[model]}::text[])`,
  );
  return row!.bytes ?? 0;
}

export interface ClearableDays extends Period {
  readonly first: string;
  readonly last: string;
}

interface FoundDays {
  readonly days: ClearableDays | undefined;
  readonly daysLeft: string | null;
}

interface ClearingRange {
  readonly networkId: number;
  readonly retentionDays: number;
  readonly startDate: string;
  readonly endDate: string;
}

/** Excludes running and unsummed days, days of an unsettled week, and the last `retentionDays`. */
export async function clearableDays(
  on: Queryable,
  { clock, timeZone }: Pick<Services, 'clock' | 'timeZone'>,
  { networkId, retentionDays, ...asked }: ClearingRange,
): Promise<FoundDays> {
  const [first, end] = [dayOf(asked.startDate, timeZone), dayOf(asked.endDate, timeZone)];
  if (end < first) throw new CallError('INVALID_INPUT', { fields: { endDate: CLEARING_ANSWERS.endBeforeStart } });
  const today = dayOf(clock.now(), timeZone);
  const openFrom = await firstOpenDay(on, networkId, timeZone);
  const [row] = await on.query<Period & { last: string | null; summed: string | null; kept: string }>(
    sql`with days as (
       select least(${today}::date - 1 - ${retentionDays}::int, ${openFrom}::date - 1) as kept, (select max(day) from liability_days
         where network_id = ${sql.lit(ROOT_NETWORK)}) as summed
     ), bounded as (select *, least(${end}::date, kept, summed) as last from days)
     select last::text, summed::text, kept::text, day_start(${first}::date, ${timeZone}) as "from",
       day_start(last + 1, ${timeZone}) as until
     from bounded`,
  );
  const { from, until, last, summed, kept } = row!;
  const isSummed = summed !== null && summed >= (end < kept ? end : kept);
  const daysLeft =
    first > today
      ? CLEARING_ANSWERS.inFuture
      : !isSummed
        ? CLEARING_ANSWERS.notClosed(summed)
        : end <= kept
          ? null
          : openFrom !== undefined && addDays(kept, 1) === openFrom
            ? CLEARING_ANSWERS.openWeeks(kept)
            : retentionDays > 0
              ? CLEARING_ANSWERS.kept(kept, retentionDays)
              : CLEARING_ANSWERS.todayKept;
  const mayBe = summed !== null && last !== null && last >= first;
  return { days: mayBe ? { first, last, from, until } : undefined, daysLeft };
}
