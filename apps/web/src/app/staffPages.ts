import { ROLES, STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import {
  IconActivity,
  IconArchive,
  IconArrowsExchange,
  IconBell,
  IconBuildingStore,
  IconCalendarOff,
  IconCalendarWeek,
  IconCash,
  IconChartBar,
  IconChecks,
  IconClock,
  IconCoins,
  IconDeviceGamepad2,
  IconDice5,
  IconEraser,
  IconHistory,
  IconHome,
  IconKey,
  IconPercentage,
  IconReceipt2,
  IconRepeat,
  IconReportMoney,
  IconShieldCheck,
  IconSitemap,
  IconUser,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconUsersPlus,
  IconWifi,
  type Icon,
} from '@tabler/icons-react';
import { commonTexts, type Level } from '../commonTexts.ts';
import { lazyPage, type LazyPage } from '../lib/lazyParts.ts';
import { may } from '../lib/session/rights.ts';
import { PAGE_RIGHTS } from './pageRights.ts';
import { pageTexts } from './shell/shellTexts.ts';

export const MENU_GROUPS = [
  'Main',
  'Management',
  'Game',
  'Reports',
  pageTexts.liveReports,
  'Logs Activity',
  'Profile',
] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

export type StaffPage = {
  page: string;
  label: string;
  group: MenuGroup;
  icon: Icon;
  roles: readonly Role[];
  /** Default: all. Other roles reach the page by a link. */
  menuRoles?: readonly Role[];
} & (
  | { level?: undefined; Page: LazyPage<{ rest: readonly string[] }> }
  | { level: Level; Page: LazyPage<{ level: Level }> }
);

const TOP: readonly Role[] = ['superadmin'];
const ADMIN: readonly Role[] = ['admin'];
const KEY_OWNERS: readonly Role[] = STAFF_ROLES.slice(1);
const TOP_TWO: readonly Role[] = ['superadmin', 'admin'];

const LEVEL_ICONS: Record<Level, Icon> = {
  admin: IconUserCircle,
  superdistributor: IconSitemap,
  distributor: IconUsersGroup,
  retailer: IconBuildingStore,
  user: IconUsers,
};

function listOf(level: Level): StaffPage {
  return {
    page: level,
    label: commonTexts.dashboard.cards[level],
    group: 'Management',
    icon: LEVEL_ICONS[level],
    roles: ROLES.slice(0, ROLES.indexOf(level)),
    level,
    Page: lazyPage(async () => (await import('./routes/AccountListRoute.tsx')).AccountListRoute),
  };
}

export const STAFF_PAGES: readonly StaffPage[] = [
  {
    page: 'dashboard',
    label: commonTexts.dashboard.label,
    group: 'Main',
    icon: IconHome,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('./routes/DashboardRoute.tsx')).DashboardRoute),
  },
  {
    page: 'notices',
    label: pageTexts.notices,
    group: 'Main',
    icon: IconBell,
    roles: STAFF_ROLES,
    menuRoles: TOP_TWO,
    Page: lazyPage(async () => (await import('../features/notices/NoticesPage.tsx')).NoticesPage),
  },
  {
    page: 'approvals',
    label: pageTexts.approvals,
    group: 'Main',
    icon: IconChecks,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/approvals/ApprovalsPage.tsx')).ApprovalsPage),
  },
  {
    page: 'timemaster',
    label: pageTexts.timeMaster,
    group: 'Management',
    icon: IconClock,
    roles: TOP,
    Page: lazyPage(async () => (await import('./routes/CatalogRoutes.tsx')).TimeMasterRoute),
  },
  {
    page: 'gamemaster',
    label: pageTexts.gameMaster,
    group: 'Management',
    icon: IconDeviceGamepad2,
    roles: TOP,
    Page: lazyPage(async () => (await import('./routes/CatalogRoutes.tsx')).GameMasterRoute),
  },
  {
    page: 'house',
    label: 'House',
    group: 'Management',
    icon: IconBuildingStore,
    roles: TOP,
    Page: lazyPage(async () => (await import('../features/house/HousePage.tsx')).HousePage),
  },
  listOf('admin'),
  listOf('superdistributor'),
  listOf('distributor'),
  listOf('retailer'),
  listOf('user'),
  {
    page: 'approvalrules',
    label: pageTexts.approvalRules,
    group: 'Management',
    icon: IconShieldCheck,
    roles: TOP,
    menuRoles: [],
    Page: lazyPage(async () => (await import('../features/approvals/ApprovalRulesPage.tsx')).ApprovalRulesPage),
  },
  {
    page: 'standing',
    label: pageTexts.standing,
    group: 'Management',
    icon: IconRepeat,
    roles: STAFF_ROLES,
    menuRoles: STAFF_ROLES.filter((role) => role !== 'superadmin'),
    Page: lazyPage(async () => (await import('../features/standing-orders/StandingOrdersPage.tsx')).StandingOrdersPage),
  },
  {
    page: 'onlineplayers',
    label: pageTexts.onlinePlayers,
    group: 'Management',
    icon: IconWifi,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('./routes/OnlinePlayersRoute.tsx')).OnlinePlayersRoute),
  },
  {
    page: 'apikeys',
    label: pageTexts.apiKeys,
    group: 'Management',
    icon: IconKey,
    roles: KEY_OWNERS,
    Page: lazyPage(async () => (await import('../features/api-keys/ApiKeysPage.tsx')).ApiKeysPage),
  },
  {
    page: 'logins',
    label: pageTexts.logins,
    group: 'Management',
    icon: IconUsersPlus,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/logins/LoginsPage.tsx')).LoginsPage),
  },
  {
    page: 'gamehistory',
    label: pageTexts.gameHistory,
    group: 'Game',
    icon: IconHistory,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/reports/bet-list/BetListPage.tsx')).BetListPage),
  },
  {
    page: 'winpercentage',
    label: pageTexts.winPercentage,
    group: 'Game',
    icon: IconPercentage,
    roles: TOP_TWO,
    Page: lazyPage(
      async () => (await import('../features/games/settings/percentages/PercentagesPage.tsx')).PercentagesPage,
    ),
  },
  {
    page: 'limits',
    label: pageTexts.limits,
    group: 'Game',
    icon: IconCoins,
    roles: TOP_TWO,
    Page: lazyPage(async () => (await import('../features/games/settings/LimitsPage.tsx')).LimitsPage),
  },
  {
    page: 'closures',
    label: pageTexts.closures,
    group: 'Game',
    icon: IconCalendarOff,
    roles: TOP_TWO,
    menuRoles: ADMIN,
    Page: lazyPage(async () => (await import('../features/games/settings/ClosuresPage.tsx')).ClosuresPage),
  },
  {
    page: 'beacons',
    label: pageTexts.beacons,
    group: 'Game',
    icon: IconDice5,
    roles: TOP,
    menuRoles: [],
    Page: lazyPage(async () => (await import('../features/games/settings/BeaconsPage.tsx')).BeaconsPage),
  },
  {
    page: 'turnoverreport',
    label: pageTexts.turnoverReport,
    group: 'Reports',
    icon: IconChartBar,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/reports/turnover/TurnoverPage.tsx')).TurnoverPage),
  },
  {
    page: 'week',
    label: pageTexts.week,
    group: 'Reports',
    icon: IconCalendarWeek,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/weeks/WeekPage.tsx')).WeekPage),
  },
  {
    page: 'payments',
    label: pageTexts.payments,
    group: 'Reports',
    icon: IconCash,
    roles: STAFF_ROLES,
    menuRoles: [],
    Page: lazyPage(async () => (await import('../features/weeks/PaymentsPage.tsx')).PaymentsPage),
  },
  {
    page: 'transactionreport',
    label: pageTexts.transactionReport,
    group: 'Reports',
    icon: IconArrowsExchange,
    roles: STAFF_ROLES,
    Page: lazyPage(
      async () => (await import('../features/reports/transactions/TransactionsPage.tsx')).TransactionsPage,
    ),
  },
  {
    page: 'commissionpayoutReport',
    label: pageTexts.pendingCommission,
    group: 'Reports',
    icon: IconReceipt2,
    roles: STAFF_ROLES,
    Page: lazyPage(
      async () => (await import('../features/reports/commission/PendingCommissionPage.tsx')).PendingCommissionPage,
    ),
  },
  {
    page: 'admincommissionreport',
    label: pageTexts.adminCommissionReport,
    group: 'Reports',
    icon: IconReportMoney,
    roles: TOP_TWO,
    Page: lazyPage(
      async () => (await import('../features/reports/commission/AdminCommissionPage.tsx')).AdminCommissionPage,
    ),
  },
  {
    page: 'returns',
    label: pageTexts.returns,
    group: 'Reports',
    icon: IconPercentage,
    roles: TOP_TWO,
    Page: lazyPage(async () => (await import('../features/reports/returns/ReturnsPage.tsx')).ReturnsPage),
  },
  {
    page: 'liability',
    label: pageTexts.liability,
    group: 'Reports',
    icon: IconReportMoney,
    roles: TOP_TWO,
    Page: lazyPage(async () => (await import('../features/liability/LiabilityPage.tsx')).LiabilityPage),
  },
  {
    page: 'logactivities',
    label: pageTexts.logActivities,
    group: 'Logs Activity',
    icon: IconActivity,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/activity/ActivityPage.tsx')).ActivityPage),
  },
  {
    page: 'backup',
    label: pageTexts.backup,
    group: 'Logs Activity',
    icon: IconArchive,
    roles: ADMIN,
    Page: lazyPage(async () => (await import('../features/backup/BackupsPage.tsx')).BackupsPage),
  },
  {
    page: 'clearhistory',
    label: pageTexts.clearHistory,
    group: 'Logs Activity',
    icon: IconEraser,
    roles: ADMIN,
    Page: lazyPage(async () => (await import('../features/clearing/ClearHistoryPage.tsx')).ClearHistoryPage),
  },
  {
    page: 'profile',
    label: pageTexts.profile,
    group: 'Profile',
    icon: IconUser,
    roles: STAFF_ROLES,
    Page: lazyPage(async () => (await import('../features/profile/ProfilePage.tsx')).ProfilePage),
  },
];

/** Includes only pages that the login may open. */
export function pagesOf(role: Role): readonly StaffPage[] {
  return STAFF_PAGES.filter((entry) => entry.roles.includes(role) && may(PAGE_RIGHTS[entry.page] ?? null));
}

export function findStaffPage(role: Role, page: string): StaffPage | undefined {
  return pagesOf(role).find((entry) => entry.page === page);
}

export function belongsTo(entry: Pick<StaffPage, 'page' | 'level'>, path: string): boolean {
  const bases = entry.level === 'user' ? [entry.page, 'player'] : [entry.page];
  return bases.some((base) => path === base || path.startsWith(`${base}/`));
}

export function hasLiveMenu(role: Role): boolean {
  return TOP_TWO.includes(role) && may('panels');
}

export interface StaffBase {
  base: string;
  level?: Level;
  withChildren?: boolean;
}

const LEVELS = ROLES.slice(1) as Level[];
const PLAIN_BASES = ['dashboard', 'timemaster', 'gamemaster'];

export function basesOf(role: Role): readonly StaffBase[] {
  const levels = LEVELS.filter((level) => findStaffPage(role, level));
  return [
    ...PLAIN_BASES.filter((base) => findStaffPage(role, base)).map((base) => ({ base })),
    ...levels.map((level) => ({ base: level, level })),
    ...levels.map((level) => ({ base: `${level}/users`, level, withChildren: true })),
    ...levels
      .filter((level) => level === 'user')
      .map((level) => ({ base: 'player/players', level, withChildren: true })),
    ...(hasLiveMenu(role) ? [{ base: 'game' }] : []),
  ];
}

export function singlePagesOf(role: Role): readonly StaffPage[] {
  const bases = new Set(basesOf(role).map(({ base }) => base));
  return pagesOf(role).filter((entry) => !bases.has(entry.page));
}
