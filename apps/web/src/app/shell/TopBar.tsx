import { house } from '@drawhouse/session/house';
import {
  ActionIcon,
  UnstyledButton,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
  Popover,
} from '@mantine/core';
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
  IconSearch,
  IconMoon,
  IconSun,
  IconChevronDown,
  IconLogout,
  IconReceipt,
  IconUserCircle,
} from '@tabler/icons-react';
import { NoticeBell } from '../../features/notices/NoticeBell.tsx';
import { ownStatementPath, pagePath } from '../../lib/paths.ts';
import { useBalance } from '../../lib/server/useBalance.ts';
import { may } from '../../lib/session/rights.ts';
import { personOf, useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { TestBadge } from '../../ui/mark/StatusBadge.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import classes from './TopBar.module.css';
import { PALETTE_KEYS } from '../keys/keys.ts';
import { useDisclosure } from '@mantine/hooks';
import { useSignOut } from '../../lib/session/sessionCalls.ts';
import { HouseMark } from '../../ui/mark/HouseMark.tsx';
import { shellTexts } from './shellTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

interface TopBarProps {
  narrow: boolean;
  folded: boolean;
  onMenu: () => void;
  onSearch: () => void;
}

export function TopBar({ narrow, folded, onMenu, onSearch }: TopBarProps) {
  const { role, testNetwork } = useUser();
  const balance = useBalance();
  const menuLabel = narrow ? shellTexts.openMenu : folded ? shellTexts.expandMenu : shellTexts.collapseMenu;
  const MenuIcon = narrow ? IconMenu2 : folded ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <header className={classes.bar}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={menuLabel} title={menuLabel} onClick={onMenu}>
        <MenuIcon size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      {(narrow || folded) && (
        <span className={classes.brand}>
          <Brand />
        </span>
      )}
      {!narrow && may('lists') && <SearchButton onClick={onSearch} />}
      <TestBadge isTest={testNetwork} />
      <span className={classes.space} />
      {narrow && may('lists') && <SearchButton onClick={onSearch} />}
      {balance !== undefined && may('lists') && (
        <PathLink className={classes.balance} href={ownStatementPath(role)} title={commonTexts.statement.title}>
          <span className={classes.balanceName}>{shellTexts.balance}</span>
          <strong>
            <Points value={balance} inline />
          </strong>
        </PathLink>
      )}
      <NoticeBell />
      <ThemeSwitch />
      <ProfileMenu />
    </header>
  );
}

function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className={classes.button} onClick={onClick} aria-haspopup="dialog">
      <IconSearch size={16} aria-hidden />
      <span className={classes.label}>{shellTexts.search}</span>
      <kbd className={classes.keys} aria-hidden>
        {PALETTE_KEYS.join(' ')}
      </kbd>
    </UnstyledButton>
  );
}

function ThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const label = scheme === 'dark' ? shellTexts.lightTheme : shellTexts.darkTheme;
  const Icon = scheme === 'dark' ? IconSun : IconMoon;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function ProfileMenu() {
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
        <UnstyledButton
          className={classes.profile}
          aria-label={shellTexts.accountMenu(personOf(user))}
          onClick={toggle}
        >
          <IconUserCircle size={20} stroke={1.6} aria-hidden />
          <span className={classes.username}>{personOf(user)}</span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <p className={classes.who}>
          <strong>{personOf(user)}</strong>
          <span>{richText(shellTexts.walletBalance, { amount: <Points value={balance} inline /> })}</span>
        </p>
        <PathLink className={classes.item} href={pagePath(user.role, 'profile')} onClick={close}>
          <IconUserCircle size={16} aria-hidden />
          {commonTexts.auth.editProfile}
        </PathLink>
        {may('lists') && (
          <PathLink className={classes.item} href={ownStatementPath(user.role)} onClick={close}>
            <IconReceipt size={16} aria-hidden />
            {commonTexts.statement.title}
          </PathLink>
        )}
        <UnstyledButton className={classes.item} onClick={() => void signOut()}>
          <IconLogout size={16} aria-hidden />
          {commonTexts.auth.logout}
        </UnstyledButton>
      </Popover.Dropdown>
    </Popover>
  );
}

export function Brand() {
  return (
    <span className={classes.logo}>
      <HouseMark size={24} />
      <span>{house.name}</span>
    </span>
  );
}
