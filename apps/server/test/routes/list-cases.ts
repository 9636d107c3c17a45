import type { Approval } from '@drawhouse/contract/approvals/approvals';
import {
  ACTION_PATHS,
  ACTIONS,
  CLIENT_REPORT_PREFIX,
  SIGN_IN_PATHS,
  type Activity,
} from '@drawhouse/contract/activity/activity';
import type { LiabilityDay, LiabilityRow } from '@drawhouse/contract/liability/liability';
import type { ListRow } from '@drawhouse/contract/core/list';
import type { noticeHistory } from '@drawhouse/contract/notices/notice-history';
import type { Game } from '@drawhouse/contract/games/games';
import { betStatusOf, type BetTicket } from '@drawhouse/contract/reports/bet-list';
import type { Movement } from '@drawhouse/contract/credit/credit';
import { ROLE_PREFIX, type Account } from '@drawhouse/contract/accounts/accounts';
import { OLDER_LIST_PATH } from '@drawhouse/contract/accounts/account-lists';
import { roleBelow, ROLES, type Role } from '@drawhouse/contract/core/primitives';
import type { AdminCommissionRow, PendingCommission } from '@drawhouse/contract/reports/commission';
import type { Schedule } from '@drawhouse/contract/games/schedules';
import type { DrawTime } from '@drawhouse/contract/games/times';
import type { OnlinePlayer } from '@drawhouse/contract/reports/online-players';
import type { ReportUser } from '@drawhouse/contract/reports/report-users';
import { transaction, type Transaction } from '@drawhouse/contract/reports/transactions';
import type { TurnoverRow } from '@drawhouse/contract/reports/turnover';
import type { StandingOrder } from '@drawhouse/contract/standing-orders/standing-orders';
import type { WeekPayment } from '@drawhouse/contract/weeks/week-payments';
import type { WeekDayRow, WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { STANDING_FILTER, type ReturnsRow } from '@drawhouse/contract/reports/returns';

type Notice = ListRow<typeof noticeHistory>;
export const OWN_NOTICE = 'Own table';

export type Row = Record<string, unknown>;

/** Facts missing from the contract. New lists need a row in {@link CASES}. */
export interface ListCase {
  readonly parentRole?: Role;
  /** Required query; `aboutId` is the account asked about. */
  readonly query?: (aboutId: string) => Readonly<Record<string, string>>;
  readonly key: (row: never) => string;
  readonly owner?: (row: never) => string;
  readonly owners?: (row: never) => readonly (string | null)[];
  /** Visibility by role, for rows without owners. */
  readonly isSeen?: (row: never, role: Role) => boolean;
  readonly hasOwn?: boolean;
  readonly hasEnds?: boolean;
  readonly order?: Readonly<Record<string, (row: never) => unknown>>;
  readonly filters?: Readonly<Record<string, (row: never) => unknown>>;
  readonly choices?: Readonly<Record<string, (role: Role) => readonly string[]>>;
  readonly searched?: (row: never) => readonly string[];
}

const accounts: ListCase = {
  key: (row: Account) => row._id,
  owner: (row: Account) => row._id,
  // Superadmins have no reference and sort by creation.
  order: { refId: (row: Account) => row.refId?.username ?? row.createdAt },
  filters: {
    state: (row: Account) => (row.userStatus ? 'active' : 'inactive'),
    balance: (row: Account) => row.walletBalance,
    created: (row: Account) => row.createdAt,
    online: (row: Account) => (row.isLoggedIn ? 'yes' : 'no'),
    parentId: (row: Account) => row.refId?._id,
  },
  searched: (row: Account) => [row.username, ...(row.role === 'user' ? [row.refId!.username] : [])],
};

const PERIOD = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-31T23:59:59.999Z' };

function actionOf({ subject, requestUrl }: Activity): string {
  if (subject.startsWith(CLIENT_REPORT_PREFIX)) return 'noted';
  return Object.entries(ACTION_PATHS).find(([, path]) => new RegExp(path).test(requestUrl))?.[0] ?? 'accounts';
}

const log: ListCase = {
  key: (row: Activity) => row._id,
  hasOwn: true,
  filters: {
    date: (row: Activity) => row.createdAt,
    action: actionOf,
    accountId: (row: Activity) => row.accountId,
    signIns: ({ requestUrl }: Activity) => (new RegExp(SIGN_IN_PATHS).test(requestUrl) ? 'shown' : 'hidden'),
  },
  choices: { action: () => Object.keys(ACTIONS).filter((action) => action !== 'openings') },
  searched: (row: Activity) => [row.username, row.subject, row.ipAddress, row.requestUrl, row.method],
};

export const CASES: Readonly<Record<string, ListCase>> = {
  ...Object.fromEntries(
    ROLES.flatMap((role): [string, ListCase][] => {
      const own = { ...accounts, hasOwn: role === 'superadmin' };
      const level: [string, ListCase][] = [
        [`${ROLE_PREFIX[role]}/all`, own],
        [OLDER_LIST_PATH[role], own],
      ];
      return roleBelow(role)
        ? [...level, [`${ROLE_PREFIX[role]}/:id/children`, { ...accounts, parentRole: role }]]
        : level;
    }),
  ),
  game: {
    key: (row: Game) => row._id,
    isSeen: (row: Game, role) => role === 'superadmin' || row.gameId === 'funtargetbingo',
    order: { time: (row: Game) => row.timeId[0]!.timecount },
    filters: { status: (row: Game) => row.status },
    searched: (row: Game) => [row.gameName, row.gameId, row.publisher],
  },
  logs: { ...log, owner: (row: Activity) => row.username },
  'logs/activityLogs': { ...log, owner: (row: Activity) => row.username },
  'logs/:userId': log,
  'credit/statement': {
    query: (id) => ({ id, ...PERIOD }),
    key: (row: Movement) => row._id,
    hasOwn: true,
    filters: { kind: (row: Movement) => row.kind },
    hasEnds: true,
  },
  approvals: {
    key: (row: Approval) => row._id,
    owner: (row: Approval) => row.askedById,
    hasOwn: true,
    filters: {
      state: (row: Approval) => row.state,
      from: (row: Approval) => (row.may === 'withdraw' ? 'own' : 'others'),
    },
    searched: (row: Approval) => [row.subject, row.askedBy],
  },
  'notices/history': {
    key: (row: Notice) => row.id,
    isSeen: (row: Notice, role) => role === 'superadmin' || row.about?.startsWith(OWN_NOTICE) === true,
    searched: (row: Notice) => [row.title, row.about!],
  },
  'time/timelist': {
    key: (row: DrawTime) => row._id,
    isSeen: () => true,
  },
  'schedule/list': {
    key: (row: Schedule) => row._id,
    isSeen: (_row: Schedule, role) => role === 'superadmin',
  },
  'reports/returns': {
    query: () => PERIOD,
    key: (row: ReturnsRow) => row.id,
    owner: (row: ReturnsRow) => row.adminId,
    hasOwn: true,
    filters: { standing: (row: ReturnsRow) => STANDING_FILTER[row.standing] },
    searched: (row: ReturnsRow) => [row.gameName, row.username],
  },
  onlinePlayer: {
    query: () => ({ show: 'all' }),
    key: (row: OnlinePlayer) => row._id,
    owner: (row: OnlinePlayer) => row._id,
    searched: (row: OnlinePlayer) => [row.username],
  },
  'history/gamehistory': {
    query: () => PERIOD,
    key: (row: BetTicket) => row._id,
    owner: (row: BetTicket) => row.username,
    filters: { drawId: (row: BetTicket) => row.drawId, status: betStatusOf },
  },
  'reports/turn': {
    query: (id) => ({ id, ...PERIOD }),
    key: (row: TurnoverRow) => row.id,
    owner: (row: TurnoverRow) => row.id,
  },
  'reports/liability': {
    key: (row: LiabilityRow) => row.id,
    owner: (row: LiabilityRow) => row.id,
    hasOwn: true,
    searched: (row: LiabilityRow) => [row.username],
  },
  'reports/liability/days': {
    query: () => PERIOD,
    key: (row: LiabilityDay) => row.day,
    isSeen: () => true,
  },
  'reports/commissionpayout': {
    query: (id) => ({ id }),
    key: (row: PendingCommission) => row._id,
    owner: (row: PendingCommission) => row._id,
    order: { role: (row: PendingCommission) => ROLES.indexOf(row.role) },
    filters: { role: (row: PendingCommission) => row.role },
    choices: { role: (role) => ROLES.slice(ROLES.indexOf(role) + 1) },
    searched: (row: PendingCommission) => [row.username],
  },
  'reports/admincommissionpayout': {
    query: (id) => ({ id, ...PERIOD }),
    key: (row: AdminCommissionRow) => `${row.adminId} ${row.gameId}`,
    owner: (row: AdminCommissionRow) => row.adminId,
    hasOwn: true,
  },
  'reports/transactionreport': {
    query: () => ({ ...PERIOD, startDate: '2026-01-01T00:00:00.000Z' }),
    key: (row: Transaction) => row._id,
    owners: (row: Transaction) => [row.user.id, row.recipient.id],
    filters: { date: (row: Transaction) => row.createdAt, type: (row: Transaction) => row.kind },
    // `between` is several kinds; transactions.test.ts shows it.
    choices: { type: () => transaction.shape.kind.options },
  },
  'weeks/payments': {
    key: (row: WeekPayment) => row._id,
    owner: (row: WeekPayment) => row.account.id,
    hasOwn: true,
    filters: {
      at: (row: WeekPayment) => row.at,
      direction: (row: WeekPayment) => row.direction,
      method: (row: WeekPayment) => row.method,
      accountId: (row: WeekPayment) => row.account.id,
    },
  },
  'standing-orders': {
    key: (row: StandingOrder) => row._id,
    owner: (row: StandingOrder) => row.account.id,
    hasOwn: true,
    filters: {
      state: (row: StandingOrder) => (row.ended ? 'ended' : 'active'),
      kind: (row: StandingOrder) => row.kind,
      accountId: (row: StandingOrder) => row.account.id,
    },
  },
  'weeks/sheet': {
    query: (id) => ({ id }),
    key: (row: WeekSheetRow) => row.id,
    owner: (row: WeekSheetRow) => row.id,
    searched: (row: WeekSheetRow) => [row.username],
  },
  'weeks/days': {
    query: (id) => ({ id }),
    key: (row: WeekDayRow) => row.day,
    isSeen: () => true,
  },
  'reports/findallusers': {
    key: (row: ReportUser) => row._id,
    owner: (row: ReportUser) => row._id,
    hasOwn: true,
    order: { role: (row: ReportUser) => ROLES.indexOf(row.role) },
    searched: (row: ReportUser) => [row.username],
  },
};
