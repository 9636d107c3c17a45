import type { ImportedRole } from '@drawhouse/contract/accounts/bulk-accounts';
import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { commonTexts } from '../../../commonTexts.ts';
import { PLAYERS_PATH, SIGN_IN_PATH } from '../../../lib/paths.ts';
import { focusOnNewPage } from '../../../ui/form/CallForm.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { WarningNote } from '../../../ui/page/Notes.tsx';
import { printPage } from '../../../ui/print/print.ts';
import { Slips } from '../../../ui/print/Slips.tsx';
import classes from './import.module.css';

export interface FirstPassword {
  readonly username: string;
  readonly password: string;
}

interface PasswordSlipsProps {
  level: ImportedRole;
  slips: readonly FirstPassword[];
  leave: string;
}

/** Shows the passwords once. */
export function PasswordSlips({ level, slips, leave }: PasswordSlipsProps) {
  const address = `${window.location.origin}${level === 'user' ? PLAYERS_PATH : SIGN_IN_PATH}`;
  const names = commonTexts.dashboard.cards[level];
  return (
    <>
      <div className={classes.once}>
        <PageHeader
          title={`${slips.length} ${slips.length === 1 ? commonTexts.accounts.titles[level] : names} created`}
          action={
            <Group gap="xs">
              <Button
                ref={focusOnNewPage}
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
      <Slips
        label="Slips"
        slips={slips.map(({ username, password }) => ({
          key: username,
          facts: [
            { name: 'Address', value: address },
            { name: 'UserName', value: username, isCode: true },
            { name: 'Password', value: password, isCode: true },
          ],
          hint: 'Change this password after the first sign-in.',
        }))}
      />
    </>
  );
}
