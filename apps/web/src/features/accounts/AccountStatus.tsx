import type { Account } from '@drawhouse/contract/accounts/accounts';
import { VisuallyHidden } from '@mantine/core';
import { commonTexts } from '../../commonTexts.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

const texts = commonTexts.accounts;

/** Why an account that is active itself can't sign in, as a sentence; null where it can. */
export function keptOutText({ inactiveAbove }: Pick<Account, 'inactiveAbove'>): string | null {
  return inactiveAbove && texts.keptOutBy(inactiveAbove.username);
}

/** Beside a name in a list: that the account is not active, or that one above it keeps it out. Nothing where it can sign in. */
export function AccountStatusMark({ account }: { account: Account }) {
  if (!account.userStatus) return <StatusBadge tone="bad">{texts.deactive}</StatusBadge>;
  if (!account.inactiveAbove) return null;
  return (
    <StatusBadge tone="warn">
      <span aria-hidden>{texts.keptOut}</span>
      <VisuallyHidden>{texts.keptOutBy(account.inactiveAbove.username)}</VisuallyHidden>
    </StatusBadge>
  );
}

/** The status of an account in full: its own, and what keeps it out from above. */
export function AccountStatus({ account }: { account: Account }) {
  const why = keptOutText(account);
  return (
    <>
      <StatusBadge tone={account.userStatus ? 'good' : 'bad'}>
        {account.userStatus ? texts.active : texts.deactive}
      </StatusBadge>
      {why !== null && <StatusBadge tone="warn">{why}</StatusBadge>}
    </>
  );
}
