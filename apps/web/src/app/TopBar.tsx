import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2 } from '@tabler/icons-react';
import { ownStatementPath } from '../lib/paths.ts';
import { useBalance } from '../lib/useBalance.ts';
import { useUser } from '../lib/useSession.ts';
import { commonTexts } from '../commonTexts.ts';
import { PathLink } from '../ui/PathLink.tsx';
import { Points } from '../ui/Points.tsx';
import { Brand } from './Brand.tsx';
import { ProfileMenu } from './ProfileMenu.tsx';
import { SearchButton } from './SearchButton.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import classes from './TopBar.module.css';

interface TopBarProps {
  /** The menu is a drawer. */
  narrow: boolean;
  /** On a wide screen: the menu was folded away by hand. */
  folded: boolean;
  /** Opens the drawer, or folds the sidebar and unfolds it. */
  onMenu: () => void;
  onSearch: () => void;
}

/** The bar above every page: what opens or folds the menu, search, balance, theme and profile. */
export function TopBar({ narrow, folded, onMenu, onSearch }: TopBarProps) {
  const { role } = useUser();
  const balance = useBalance();
  const menuLabel = narrow ? 'Open the menu' : folded ? 'Unfold the menu' : 'Fold the menu';
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
      {!narrow && <SearchButton onClick={onSearch} />}
      <span className={classes.space} />
      {narrow && <SearchButton onClick={onSearch} />}
      {balance !== undefined && (
        <PathLink className={classes.balance} href={ownStatementPath(role)} title={commonTexts.statement.title}>
          <span className={classes.balanceName}>Balance</span>
          <strong>
            <Points value={balance} inline />
          </strong>
        </PathLink>
      )}
      <ThemeSwitch />
      <ProfileMenu />
    </header>
  );
}
