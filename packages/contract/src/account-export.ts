import type { Account } from './accounts.ts';
import type { Role } from './primitives.ts';

/** One column of an exported list. */
export interface ExportColumn {
  readonly header: string;
  /** In characters. */
  readonly width: number;
  /** The cell; `formatTime` writes an instant in the reader's time zone. */
  readonly value: (account: Account, formatTime: (iso: string) => string) => string | number;
}

/** The Excel file of one list. */
export interface AccountExport {
  readonly fileName: string;
  readonly sheet: string;
  readonly columns: readonly ExportColumn[];
}

const username: ExportColumn = { header: 'UserName', width: 30, value: (account) => account.username };
const reference: ExportColumn = { header: 'Refer ID', width: 30, value: (account) => account.refId?.username ?? 'N/A' };
const points: ExportColumn = { header: 'Points', width: 15, value: (account) => account.walletBalance };
const created: ExportColumn = {
  header: 'Date & Time',
  width: 25,
  value: (account, formatTime) => formatTime(account.createdAt),
};
const uniqueId = (header: string): ExportColumn => ({ header, width: 30, value: (account) => account.uniqueId });

/** The columns of every level but the admins', whose list has its own spelling and its games. */
const usual = [username, reference, uniqueId('Unique Id'), points, created];

/** File name, sheet and columns of each list, as section 2 of the accounts specification has them. */
export const ACCOUNT_EXPORTS: Record<Role, AccountExport> = {
  superadmin: { fileName: 'SuperAdminsList.xlsx', sheet: 'Super Admins', columns: usual },
  admin: {
    fileName: 'AdminsList.xlsx',
    sheet: 'Admins',
    columns: [
      username,
      reference,
      uniqueId('Unique ID'),
      points,
      {
        header: 'Games',
        width: 40,
        value: (account) => account.games?.map((game) => game.gameName).join(', ') ?? '',
      },
      created,
    ],
  },
  superdistributor: { fileName: 'SuperDistributorsList.xlsx', sheet: 'Super Distributors', columns: usual },
  distributor: { fileName: 'DistributorsList.xlsx', sheet: 'Distributors', columns: usual },
  retailer: { fileName: 'RetailersList.xlsx', sheet: 'Retailers', columns: usual },
  user: {
    fileName: 'PlayersList.xlsx',
    sheet: 'Users',
    columns: [
      ...usual,
      { header: 'Is Online', width: 15, value: (account) => (account.isLoggedIn ? 'Online' : 'Offline') },
      {
        header: 'Last Login',
        width: 25,
        value: (account, formatTime) => (account.lastLogin ? formatTime(account.lastLogin) : ''),
      },
    ],
  },
};
