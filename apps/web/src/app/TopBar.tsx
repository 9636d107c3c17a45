import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { ownStatementPath } from '../lib/paths.ts';
import { useBalance } from '../lib/useBalance.ts';
import { useUser } from '../lib/useSession.ts';
import { messages } from '../messages.ts';
import { PathLink } from '../ui/PathLink.tsx';
import { Points } from '../ui/Points.tsx';
import { Brand } from './Brand.tsx';
import { ProfileMenu } from './ProfileMenu.tsx';
import { SearchButton } from './SearchButton.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import classes from './TopBar.module.css';

interface TopBarProps {
  narrow: boolean;
  onMenu: () => void;
  onSearch: () => void;
}

/** The bar above every page: search, balance, theme and profile; on a narrow screen also what opens the menu. */
export function TopBar({ narrow, onMenu, onSearch }: TopBarProps) {
  const { role } = useUser();
  const balance = useBalance();
  return (
    <header className={classes.bar}>
      {narrow && (
        <>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Open the menu" onClick={onMenu}>
            <IconMenu2 size={20} aria-hidden />
          </ActionIcon>
          <span className={classes.brand}>
            <Brand />
          </span>
        </>
      )}
      {!narrow && <SearchButton onClick={onSearch} />}
      <span className={classes.space} />
      {narrow && <SearchButton onClick={onSearch} />}
      {balance !== undefined && (
        <PathLink className={classes.balance} href={ownStatementPath(role)} title={messages.statement.title}>
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
