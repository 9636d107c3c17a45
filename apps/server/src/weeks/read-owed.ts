import { pointsOf, pointsText, type Role } from '@drawhouse/contract/core/primitives';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import { dayStart, dayWords } from '@drawhouse/rules/time/zone-days';
import type { Actor } from '../accounts/authority.ts';
import { networkOrColumnSql, singleNetworkOf } from '../platform/db/cross-network-sql.ts';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { readWeekCourses, weekOf, type WeekCalendar, type WeekEnd } from './read-week.ts';
import { WEEK_NOTICES } from './weeks-texts.ts';

interface Settled {
  readonly id: string;
  readonly role: Role;
  readonly networkId: number;
  readonly chain: readonly string[];
  readonly parent: string;
}

type Course = readonly WeekEnd[];

interface Courses {
  readonly below: readonly Course[];
  readonly own: { readonly parent: string; readonly course: Course } | undefined;
}

/** Reads weeks with the accounts directly below, and with the account above. Null without sheets. */
async function readCourses(on: Queryable, actor: Actor, calendar: WeekCalendar): Promise<Courses | null> {
  const network = networkOrColumnSql(singleNetworkOf(actor), 'a.network_id');
  const pairs = await on.query<Settled & Record<string, unknown>>(
    sql`select a.id, a.role, a.network_id as "networkId", a.chain, p.username as parent
      from accounts a join accounts p on p.id = a.parent_id
      where a.deleted_at is null and (a.id = ${actor.id} or a.parent_id = ${actor.id})
        and (exists (select from week_terms t where t.network_id = ${network} and t.account_id = a.id)
          or exists (select from week_payments y where y.network_id = ${network} and y.account_id = a.id)
          or exists (select from week_closings c where c.network_id = ${network} and c.account_id = a.id))`,
  );
  if (pairs.length === 0) return null;
  const week = weekOf(calendar, undefined);
  const courses = new Map<string, Course>();
  for (const some of Map.groupBy(pairs, ({ networkId, chain }) => `${networkId} ${chain.length}`).values()) {
    const { networkId, chain, role } = some[0]!;
    const siblings = { networkId, above: chain.slice(0, -1), ids: some.map(({ id }) => id), role };
    for (const each of await readWeekCourses(on, siblings, week, calendar.timeZone)) courses.set(...each);
  }
  const mine = pairs.find(({ id }) => id === actor.id);
  return {
    below: pairs.filter(({ id }) => id !== actor.id).map(({ id }) => courses.get(id)!),
    own: mine && { parent: mine.parent, course: courses.get(mine.id)! },
  };
}

/** The dashboard shows this. Null without sheets. */
export async function readOwed(on: Queryable, actor: Actor, calendar: WeekCalendar) {
  const courses = await readCourses(on, actor, calendar);
  if (!courses) return null;
  const { below, own } = courses;
  const owing = below.filter((course) => balanceOf(course) > 0n);
  return { ...sumOwed(owing), own: own ? ownOf(own) : null };
}

/** Tells parent and child about unpaid amounts of earlier weeks. */
export async function owedNotices(on: Queryable, actor: Actor, calendar: WeekCalendar): Promise<FoundNotice[]> {
  const courses = await readCourses(on, actor, calendar);
  if (!courses) return [];
  const { below, own } = courses;
  const startOf = (day: string): string => dayStart(day, calendar.timeZone).toISOString();
  const late = below.filter((course) => lateOf(course) > 0n);
  const notices: FoundNotice[] = [];
  if (late.length > 0) {
    const owed = pointsText(late.reduce((sum, course) => sum + lateOf(course), 0n));
    const since = late.map(owedSince).toSorted()[0]!;
    notices.push({
      code: 'ACCOUNTS_OWE',
      since: startOf(since),
      detail: WEEK_NOTICES.accountsOwe(late.length, owed),
    });
  }
  if (own && lateOf(own.course) > 0n) {
    const { parent, since, reminder } = ownOf(own);
    notices.push({
      code: 'YOU_OWE',
      // A reminder brings an acknowledged notice back.
      since: reminder && reminder.at > startOf(since) ? reminder.at : startOf(since),
      about: parent,
      detail: WEEK_NOTICES.youOwe(pointsText(lateOf(own.course)), dayWords(new Date(since), 'UTC'), reminder),
    });
  }
  return notices;
}

function sumOwed(owing: readonly Course[]) {
  return {
    owed: pointsOf(owing.reduce((sum, course) => sum + balanceOf(course), 0n)),
    accounts: owing.length,
    since: owing.map(owedSince).toSorted()[0] ?? null,
  };
}

function balanceOf(course: Course): bigint {
  return course.at(-1)!.balance;
}

/** The unpaid part of last week's final balance. What was paid since, paid the oldest debt. */
function lateOf(course: Course): bigint {
  const unpaid = (course.at(-2)?.balance ?? 0n) - settledIn(course.at(-1)!, true);
  const now = balanceOf(course);
  return unpaid < now ? unpaid : now;
}

/** What a week took off the debt of one side: payments, and credit that is owed. */
function settledIn({ readFigures, terms }: WeekEnd, isByAccount: boolean): bigint {
  const { received, paid, taken, given } = readFigures();
  const money = isByAccount ? received - paid : paid - received;
  const credit = terms.share === null ? (isByAccount ? taken : given) : 0n;
  return (money < 0n ? 0n : money) + credit;
}

/** First day of the first week whose debt is not paid yet: each payment pays the oldest. */
function owedSince(course: Course): string {
  const isByAccount = balanceOf(course) > 0n;
  const debtOf = ({ balance }: WeekEnd): bigint => (isByAccount ? balance : -balance);
  let nth = course.length - 1;
  for (let settled = 0n; nth > 0; nth -= 1) {
    settled += settledIn(course[nth]!, isByAccount);
    if (debtOf(course[nth - 1]!) <= settled) break;
  }
  return course[nth]!.from;
}

function ownOf({ parent, course }: { readonly parent: string; readonly course: Course }) {
  const reminder = course.flatMap(({ notes }) => notes).findLast(({ kind }) => kind === 'reminder');
  return {
    parent,
    balance: pointsOf(balanceOf(course)),
    since: owedSince(course),
    reminder: reminder ? { at: reminder.at.toISOString(), by: reminder.by, note: reminder.note } : null,
  };
}
