import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { detailsPath } from '../../lib/paths.ts';
import type { Level } from '../../commonTexts.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import type { Cells } from '../../ui/listColumns.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { AccountStatusMark, keptOutText } from './AccountStatus.tsx';
import { OnlineBadge } from '../../ui/OnlineBadge.tsx';
import classes from './accountCells.module.css';

/** The cells of a list of one level that say more than their values, as a viewer of a role above it sees them. */
export function accountCells(viewer: Role, level: Level): Cells<Account> {
  return {
    username: (row) => (
      <span className={classes.name} title={[row.username, keptOutText(row)].filter(Boolean).join(': ')}>
        <PathLink href={detailsPath(viewer, level, row._id)}>{row.username}</PathLink>
        <AccountStatusMark account={row} />
      </span>
    ),
    isLoggedIn: (row) => <OnlineBadge isOnline={row.isLoggedIn} />,
    createdAt: (row) => <DateTime value={row.createdAt} relative />,
    lastLogin: (row) => <DateTime value={row.lastLogin} relative />,
  };
}
