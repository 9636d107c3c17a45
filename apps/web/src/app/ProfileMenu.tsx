import { Popover, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconLogout, IconReceipt, IconUserCircle } from '@tabler/icons-react';
import { ownStatementPath, pagePath } from '../lib/paths.ts';
import { useBalance } from '../lib/useBalance.ts';
import { useUser } from '../lib/useSession.ts';
import { useSignOut } from '../lib/useSignOut.ts';
import { commonTexts } from '../commonTexts.ts';
import { PathLink } from '../ui/PathLink.tsx';
import { Points } from '../ui/Points.tsx';
import classes from './ProfileMenu.module.css';

/** The profile dropdown: username, wallet balance, Edit Profile, Log Out. */
export function ProfileMenu() {
  const user = useUser();
  const balance = useBalance() ?? user.walletBalance;
  const signOut = useSignOut();
  const [opened, { close, toggle }] = useDisclosure(false);
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      position="bottom-end"
      width={232}
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <UnstyledButton className={classes.profile} aria-label={`Account menu of ${user.username}`} onClick={toggle}>
          <IconUserCircle size={20} stroke={1.6} aria-hidden />
          <span className={classes.username}>{user.username}</span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <p className={classes.who}>
          <strong>{user.username}</strong>
          <span>
            Wallet balance <Points value={balance} inline />
          </span>
        </p>
        <PathLink className={classes.item} href={pagePath(user.role, 'profile')} onClick={close}>
          <IconUserCircle size={16} aria-hidden />
          {commonTexts.auth.editProfile}
        </PathLink>
        <PathLink className={classes.item} href={ownStatementPath(user.role)} onClick={close}>
          <IconReceipt size={16} aria-hidden />
          {commonTexts.statement.title}
        </PathLink>
        <UnstyledButton className={classes.item} onClick={() => void signOut()}>
          <IconLogout size={16} aria-hidden />
          {commonTexts.auth.logout}
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  );
}
