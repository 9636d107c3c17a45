import { addDays, dayOf } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Services } from '../platform/services.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Period } from '../platform/time/period.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { firstOpenDay } from '../weeks/first-open-day.ts';
import { CLEARING_ANSWERS } from './clearing-texts.ts';

export interface ClearableDays extends Period {
  readonly first: string;
  readonly last: string;
}

export interface FoundDays {
  readonly days: ClearableDays | undefined;
  readonly daysLeft: string | null;
}

interface ClearingRange {
  readonly networkId: number;
  readonly retentionDays: number;
  readonly startDate: string;
  readonly endDate: string;
}

/**
 * Excludes running and unsummed days, days of an unsettled week, and the last `retentionDays`. Throws INVALID_INPUT for
 * a reversed range.
 */
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
