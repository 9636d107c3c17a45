import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { PALETTE_KEYS } from './keys.ts';
import classes from './SearchButton.module.css';

/** Opens the command palette, and says by which keys it opens too. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className={classes.button} onClick={onClick} aria-haspopup="dialog">
      <IconSearch size={16} aria-hidden />
      <span className={classes.label}>Search</span>
      <kbd className={classes.keys} aria-hidden>
        {PALETTE_KEYS.join(' ')}
      </kbd>
    </UnstyledButton>
  );
}
