import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { formatPoints } from '../lib/format.ts';
import { pagePath } from '../lib/paths.ts';
import { useSignOut } from '../lib/useSignOut.ts';
import { useBalance } from '../lib/useBalance.ts';
import { useUser } from '../lib/useSession.ts';
import { messages } from '../messages.ts';
import { PathLink } from '../ui/PathLink.tsx';
import classes from './TopBar.module.css';

/** The profile dropdown: username, wallet balance, Edit Profile, Log Out. */
export function ProfileMenu() {
  const user = useUser();
  const balance = useBalance() ?? user.walletBalance;
  const signOut = useSignOut();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.profile} aria-label={`Account menu of ${user.username}`}>
          <IconUserCircle size={20} stroke={1.6} aria-hidden />
          <span className={classes.username}>{user.username}</span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>{user.username}</strong>
          <span>Wallet balance {formatPoints(balance)}</span>
        </div>
        <Menu.Divider />
        <Menu.Item
          component={PathLink}
          href={pagePath(user.role, 'profile')}
          leftSection={<IconUserCircle size={16} aria-hidden />}
        >
          {messages.auth.editProfile}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {messages.auth.logout}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
