import { house } from '@drawhouse/session/house';
import type { ImportedRole } from '@drawhouse/contract/accounts/bulk-accounts';
import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { commonTexts } from '../../../commonTexts.ts';
import { PLAYERS_PATH } from '../../../lib/paths.ts';
import { focusOnArrival } from '../../../ui/form/CallForm.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { WarningNote } from '../../../ui/page/Notes.tsx';
import { printPage } from '../../../ui/print/print.ts';
import classes from './import.module.css';

export interface Slip {
  readonly username: string;
  readonly password: string;
}

interface PasswordSlipsProps {
  level: ImportedRole;
  slips: readonly Slip[];
  leave: string;
}

/** Shows the passwords once. Prints several slips a page, with lines to cut along. */
export function PasswordSlips({ level, slips, leave }: PasswordSlipsProps) {
  const address = `${window.location.origin}${level === 'user' ? PLAYERS_PATH : '/auth/login'}`;
  const names = commonTexts.dashboard.cards[level];
  return (
    <>
      <div className={classes.once}>
        <PageHeader
          title={`${slips.length} ${slips.length === 1 ? commonTexts.accounts.titles[level] : names} created`}
          action={
            <Group gap="xs">
              <Button
                ref={focusOnArrival}
                leftSection={<IconPrinter size={16} aria-hidden />}
                onClick={() => void printPage()}
              >
                Print slips
              </Button>
              <Button component={PathLink} href={leave} variant="default">
                Done
              </Button>
            </Group>
          }
        />
        <WarningNote>These passwords are shown only here. Print the slips before you leave this page.</WarningNote>
      </div>
      <ul className={classes.slips} aria-label="Slips">
        {slips.map(({ username, password }) => (
          <li key={username}>
            <p className={classes.network}>{house.name}</p>
            <dl>
              <dt>Address</dt>
              <dd>{address}</dd>
              <dt>UserName</dt>
              <dd className={classes.code}>{username}</dd>
              <dt>Password</dt>
              <dd className={classes.code}>{password}</dd>
            </dl>
            <p className={classes.hint}>Change this password after the first sign-in.</p>
          </li>
        ))}
      </ul>
    </>
  );
}
