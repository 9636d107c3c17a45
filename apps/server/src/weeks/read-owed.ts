import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { Actor } from '../accounts/authority.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { readWeekCourses, weekOf } from './read-week.ts';
import type { AccountWeek, WeekCalendar } from './read-week.ts';

interface Kept {
  readonly id: string;
  readonly role: Role;
  readonly networkId: number;
  readonly chain: readonly string[];
  readonly parent: string;
}

/**
 * Balances of this week between the caller and the accounts directly below, and with the account above, for the
 * dashboard. Null without terms, payments or closed weeks. Superadmins look at their sheet instead: their admins are in
 * many networks.
 */
export async function readOwed(on: Queryable, actor: Actor, calendar: WeekCalendar) {
  if (actor.networkId === ROOT_NETWORK) return null;
  const pairs = await on.query<Kept & Record<string, unknown>>(
    sql`with kept as (
        select account_id from week_payments where network_id = ${actor.networkId}
        union select account_id from week_terms where network_id = ${actor.networkId}
        union select account_id from week_closings where network_id = ${actor.networkId}
      )
      select a.id, a.role, a.network_id as "networkId", a.chain, p.username as parent
      from kept join accounts a on a.id = kept.account_id join accounts p on p.id = a.parent_id
      where a.deleted_at is null and (a.id = ${actor.id} or a.parent_id = ${actor.id})`,
  );
  if (pairs.length === 0) return null;
  const week = weekOf(calendar, undefined);
  const courses = new Map<string, readonly AccountWeek[]>();
  for (const some of Map.groupBy(pairs, ({ chain }) => chain.length).values()) {
    const { networkId, chain, role } = some[0]!;
    const siblings = { networkId, above: chain.slice(0, -1), ids: some.map(({ id }) => id), role };
    for (const each of await readWeekCourses(on, siblings, week, calendar.timeZone)) courses.set(...each);
  }
  const mine = pairs.find(({ id }) => id === actor.id);
  const below = pairs.filter(({ id }) => id !== actor.id).map(({ id }) => courses.get(id)!);
  const owing = below.filter((course) => balanceOf(course) > 0n);
  const days = owing.map(owedSince).toSorted();
  return {
    owed: pointsOf(owing.reduce((sum, course) => sum + balanceOf(course), 0n)),
    accounts: owing.length,
    since: days[0] ?? null,
    own: mine ? ownOf(mine.parent, courses.get(mine.id)!) : null,
  };
}

function balanceOf(course: readonly AccountWeek[]): bigint {
  return course.at(-1)!.balance;
}

/** First day of the first week since which the balance has been on the same side of zero. */
function owedSince(course: readonly AccountWeek[]): string {
  const isSame = ({ balance }: AccountWeek): boolean => balance > 0n === balanceOf(course) > 0n && balance !== 0n;
  return course[course.findLastIndex((each) => !isSame(each)) + 1]?.from ?? course.at(-1)!.from;
}

function ownOf(parent: string, course: readonly AccountWeek[]) {
  const reminder = course.flatMap(({ notes }) => notes).findLast(({ kind }) => kind === 'reminder');
  return {
    parent,
    balance: pointsOf(balanceOf(course)),
    since: owedSince(course),
    reminder: reminder ? { at: reminder.at.toISOString(), by: reminder.by, note: reminder.note } : null,
  };
}
