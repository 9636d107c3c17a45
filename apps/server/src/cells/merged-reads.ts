import { belowCount, childRoutes, fetchUserById, userCount } from '@drawhouse/contract/accounts/account-children';
import { accountLists, childLists, olderLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { accountLog, activityLog, logEntry, olderActivityLog } from '@drawhouse/contract/activity/activity';
import { approvalRules } from '@drawhouse/contract/approvals/approvals';
import { userAuth } from '@drawhouse/contract/auth/auth';
import { hundredthsIn, ROLES, sumPoints } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { statement, statementSummary } from '@drawhouse/contract/credit/statement';
import { getTimer, nextDraw, playerResults } from '@drawhouse/contract/draws/draws';
import { listBeacons } from '@drawhouse/contract/games/game-beacons';
import { oneGame } from '@drawhouse/contract/games/game-catalogue';
import { listLimits } from '@drawhouse/contract/games/limits';
import { listClosures, oneSchedule } from '@drawhouse/contract/games/schedules';
import { oneTime } from '@drawhouse/contract/games/times';
import { liabilityDays, liabilityReport, type AuditVerdict } from '@drawhouse/contract/liability/liability';
import { loadGame, lottoJodiCross } from '@drawhouse/contract/live/live';
import { liveFrequencies, liveResult } from '@drawhouse/contract/live/live-results';
import { staffPlaces } from '@drawhouse/contract/logins/logins';
import { playerProtection, playerProtectionHistory } from '@drawhouse/contract/players/protection';
import { accountOverview } from '@drawhouse/contract/reports/account-overview';
import { betList, ticketDetails } from '@drawhouse/contract/reports/bet-list';
import { adminCommission, pendingCommissions } from '@drawhouse/contract/reports/commission';
import { dashboard, type DashboardChild, type PartOfDay } from '@drawhouse/contract/reports/dashboard';
import { find, FIND_MOST, type Found } from '@drawhouse/contract/reports/find';
import { drawPage, ticketPage } from '@drawhouse/contract/reports/object-pages';
import { onlinePlayers } from '@drawhouse/contract/reports/online-players';
import { findAllUsers } from '@drawhouse/contract/reports/report-users';
import { returnsReport } from '@drawhouse/contract/reports/returns';
import { transactionOf, transactionReport } from '@drawhouse/contract/reports/transactions';
import { figures as accountFigures, turnoverReport, turnoverSeries } from '@drawhouse/contract/reports/turnover';
import { fairTicket } from '@drawhouse/contract/tickets/tickets';
import { weekDays, weekSheet } from '@drawhouse/contract/weeks/week-sheet';
import type { ListCaller } from '../platform/lists/list-source.ts';
import type { ListAnswer, Row } from './merge-lists.ts';

// Merges the answers of several cells. The first answer is this cell's.

type Answers = readonly [ListAnswer, ...ListAnswer[]];

export interface MergedList {
  /** Rows with an equal value of this field become one row of sums. */
  readonly sumBy?: string;
  readonly extra?: (answers: Answers, caller: ListCaller) => object;
}

const sumObjects = (objects: readonly Row[]): Row =>
  Object.fromEntries(
    Object.keys(objects[0]!).map((name) => [name, sumPoints(objects.map((each) => each[name] as number))]),
  );

const sumSummary = (answers: Answers): object => ({
  summary: sumObjects(answers.map(({ summary }) => summary as Row)),
});
/** Each cell clears its own history. */
const joinTexts = (answers: Answers, name: string): object => ({
  [name]: [...new Set(answers.flatMap((answer) => (answer[name] as string | null) ?? []))].join(' ') || null,
});

const BELOW = ROLES.filter((role) => role !== 'superadmin');
const PARENTS = BELOW.filter((role) => role !== 'user');

export const MERGED_LISTS: Readonly<Record<string, MergedList>> = {
  ...Object.fromEntries(
    BELOW.flatMap((role) => [accountLists, olderLists].map((lists) => [lists[role].route.path, {}])),
  ),
  [onlinePlayers.route.path]: {},
  [pendingCommissions.route.path]: {},
  [turnoverReport.route.path]: { extra: (...of) => ({ ...sumSummary(of[0]), parents: fromCaller(...of) }) },
  [adminCommission.route.path]: { extra: sumSummary },
  [returnsReport.route.path]: {
    extra: (answers) => ({ outside: answers.reduce((sum, { outside }) => sum + (outside as number), 0) }),
  },
  [liabilityReport.route.path]: { extra: (answers) => ({ audits: mergeAudits(answers) }) },
  [liabilityDays.route.path]: {
    sumBy: 'day',
    extra: (answers) => ({ since: earliest(answers.map(({ since }) => since as string | null)) }),
  },
  [activityLog.route.path]: { extra: extraOfLogs },
  [olderActivityLog.route.path]: { extra: extraOfLogs },
  [transactionReport.route.path]: { extra: (answers) => joinTexts(answers, 'cleared') },
  [betList.route.path]: {
    extra: (answers) => ({ ...joinTexts(answers, 'cleared'), ...joinTexts(answers, 'undone') }),
  },
};

function extraOfLogs(answers: Answers): object {
  return { ...joinTexts(answers, 'cleared'), searchedTo: latest(answers) };
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((each) => each !== null).toSorted()[0] ?? null;
}

/** Some cell has searched no further. */
function latest(answers: Answers): string | null {
  return (
    answers
      .flatMap(({ searchedTo }) => searchedTo ?? [])
      .toSorted()
      .at(-1) ?? null
  );
}

/** Each cell has a superadmin of its own above its networks. */
function fromCaller([{ parents }]: Answers, { id, username, role }: ListCaller): object[] {
  return [{ id, username, role }, ...(parents as object[]).slice(1)];
}

type Audits = Readonly<Record<'whole' | 'daily', AuditVerdict | null>>;

/** As old as the oldest. Null if one cell was never audited. */
function mergeAudits(answers: Answers): Audits {
  const merge = (kind: keyof Audits): AuditVerdict | null => {
    const verdicts = answers.map(({ audits }) => (audits as Audits)[kind]);
    if (verdicts.includes(null)) return null;
    const sum = (name: 'checks' | 'problems'): number => verdicts.reduce((all, each) => all + each![name], 0);
    return {
      at: earliest(verdicts.map((each) => each!.at))!,
      checks: sum('checks'),
      problems: sum('problems'),
      finding: verdicts.find((each) => each!.finding !== null)?.finding ?? null,
    };
  };
  return { whole: merge('whole'), daily: merge('daily') };
}

/**
 * Reads of one object, and the field that names it. Reads in none of these tables concern the caller alone, such as its
 * logins and notices, and stay in its cell.
 */
export const FOUND_IN_ONE_CELL: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...BELOW.map((role) => accountRoutes[role].get),
      ...PARENTS.flatMap((role) => [childLists[role].route, childRoutes[role].get]),
      accountLog.route,
      approvalRules,
      drawPage,
      fairTicket,
      listBeacons,
      listClosures,
      listLimits,
      logEntry,
      oneGame,
      oneSchedule,
      oneTime,
      playerProtection,
      playerProtectionHistory,
      staffPlaces,
      ticketPage,
      transactionOf,
      userAuth,
    ].map(({ path }) => [path, /:(\w+)/.exec(path)![1]!]),
  ),
  ...Object.fromEntries(
    [
      accountOverview,
      accountFigures,
      fetchUserById,
      findAllUsers.route,
      statement.route,
      statementSummary,
      weekDays.route,
      weekSheet.route,
    ].map(({ path }) => [path, 'id']),
  ),
  ...Object.fromEntries(
    [getTimer, liveFrequencies, liveResult, loadGame, nextDraw, playerResults].map(({ path }) => [path, 'adminId']),
  ),
  [belowCount.path]: 'ids',
  [lottoJodiCross.path]: 'admin',
  [ticketDetails.path]: 'ticketId',
};

type Merge = (answers: readonly [never, ...never[]]) => object;

type OwnFigures = RouteAnswer<typeof accountFigures>;

/** Reads of one account that mean all networks if it is the caller. */
export const MERGED_OF_CALLER: Readonly<Record<string, Merge>> = {
  [accountFigures.path]: ([own, ...others]: readonly [OwnFigures, ...OwnFigures[]]): OwnFigures => {
    const { id, role, username, cell: _, ...figures } = own.data;
    const all = [figures, ...others.map(({ data: { id: _id, role: _r, username: _u, cell: _c, ...each } }) => each)];
    return { ...own, data: { id, role, username, ...(sumObjects(all) as typeof figures) } };
  },
};

export const MERGED_REPORTS: Readonly<Record<string, Merge>> = {
  [dashboard.path]: mergeDashboards,
  [turnoverSeries.path]: mergeSeries,
  [find.path]: mergeFound,
  [userCount.path]: mergeCounts,
};

/** The best matches of each cell come first. */
function mergeFound(answers: readonly [Found, ...Found[]]): object {
  const best = (name: 'accounts' | 'tickets' | 'draws' | 'transactions'): unknown[] =>
    Array.from({ length: FIND_MOST }, (_, nth) => answers.flatMap((each) => each[name][nth] ?? []))
      .flat()
      .slice(0, FIND_MOST);
  const names = ['accounts', 'tickets', 'draws', 'transactions'] as const;
  return Object.fromEntries(names.map((name) => [name, best(name)]));
}

type Counts = RouteAnswer<typeof userCount>;

function mergeCounts(answers: readonly [Counts, ...Counts[]]): object {
  const [own] = answers;
  const names = Object.keys(own).filter((name) => name.startsWith('count') && name !== 'count') as 'countUsers'[];
  return {
    count: answers.flatMap(({ count }) => count),
    ...Object.fromEntries(names.map((name) => [name, answers.reduce((sum, each) => sum + each[name], 0)])),
  };
}

type Series = RouteAnswer<typeof turnoverSeries>;

function mergeSeries(answers: readonly [Series, ...Series[]]): Series {
  const [own] = answers;
  return {
    ...own,
    data: own.data.map(({ startDate, endDate, ...figures }, nth) => ({
      startDate,
      endDate,
      ...(sumObjects([
        figures,
        ...answers.slice(1).flatMap(({ data }) => {
          const { startDate: _from, endDate: _to, ...others } = data[nth] ?? {};
          return Object.keys(others).length > 0 ? [others] : [];
        }),
      ]) as typeof figures),
    })),
  };
}

type Dashboard = RouteAnswer<typeof dashboard>;
const MOST = 5;

function mergeDashboards(answers: readonly [Dashboard, ...Dashboard[]]): Dashboard {
  const [own] = answers;
  const hasPlayed = answers.some((each) => each.hasPlayed);
  const waiting = (name: 'pendingCommission' | 'unclaimed') => ({
    points: sumPoints(answers.map((each) => each[name].points)),
    accounts: answers.reduce((sum, each) => sum + each[name].accounts, 0),
  });
  const top = (name: 'mostPlay' | 'mostLoss', by: 'playPoints' | 'endPoints', sign: 1 | -1): DashboardChild[] =>
    answers
      .flatMap((each) => each[name])
      .toSorted((one, other) => sign * Number(hundredthsIn(one[by]) - hundredthsIn(other[by])))
      .slice(0, MOST);
  return {
    ...own,
    counts: sumCounts(answers),
    hasPlayed,
    hasGiven: answers.some((each) => each.hasGiven),
    steps: answers.every((each) => !each.hasPlayed || each.steps !== null) ? own.steps : null,
    tests: answers.flatMap((each) => each.tests),
    today: mergeParts(answers.map((each) => each.today)),
    yesterday: mergeParts(answers.map((each) => each.yesterday)),
    lastWeek: mergeParts(answers.map((each) => each.lastWeek)),
    online: answers.reduce((sum, each) => sum + each.online, 0),
    mostPlay: top('mostPlay', 'playPoints', -1),
    mostLoss: top('mostLoss', 'endPoints', 1),
    pendingCommission: { ...waiting('pendingCommission'), own: own.pendingCommission.own },
    unclaimed: waiting('unclaimed'),
    week: mergeWeeks(answers),
  };
}

function sumCounts(answers: readonly [Dashboard, ...Dashboard[]]): Dashboard['counts'] {
  const counts = { ...answers[0].counts };
  for (const { counts: others } of answers.slice(1))
    for (const role of ROLES)
      if (role !== 'superadmin' && others[role] !== undefined) counts[role] = (counts[role] ?? 0) + others[role];
  return counts;
}

type Figures = PartOfDay['hours'][number];

function figuresOf({ playPoints, winPoints, net, earned }: Figures): Figures {
  return { playPoints, winPoints, net, earned };
}

/** Cells answer at moments of their own, so one may have an hour more. */
function mergeParts(parts: readonly PartOfDay[]): PartOfDay {
  const own = parts[0]!;
  const sum = (figures: readonly (Figures | undefined)[]): Figures =>
    sumObjects(figures.flatMap((each) => (each ? [figuresOf(each) as unknown as Row] : []))) as unknown as Figures;
  const byHour = (name: 'hours' | 'rest'): Figures[] =>
    Array.from({ length: Math.max(...parts.map((part) => part[name].length)) }, (_, nth) =>
      sum(parts.map((part) => part[name][nth])),
    );
  return { ...own, ...sum(parts), hours: byHour('hours'), rest: byHour('rest') };
}

function mergeWeeks(answers: readonly Dashboard[]): Dashboard['week'] {
  const weeks = answers.flatMap(({ week }) => week ?? []);
  if (weeks.length === 0) return null;
  return {
    owed: sumPoints(weeks.map(({ owed }) => owed)),
    accounts: weeks.reduce((sum, { accounts }) => sum + accounts, 0),
    since: earliest(weeks.map(({ since }) => since)),
    own: answers[0]!.week?.own ?? null,
  };
}
