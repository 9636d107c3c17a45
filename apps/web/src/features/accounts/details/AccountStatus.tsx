import type { Account } from '@drawhouse/contract/accounts/accounts';
import { VisuallyHidden } from '@mantine/core';
import { commonTexts } from '../../../commonTexts.ts';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';

const texts = commonTexts.accounts;

/** Null if it can sign in. */
export function blockedReason({ inactiveAbove }: Pick<Account, 'inactiveAbove'>): string | null {
  return inactiveAbove && texts.keptOutBy(inactiveAbove.username);
}

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

export function AccountStatus({ account }: { account: Account }) {
  const why = blockedReason(account);
  return (
    <>
      <StatusBadge tone={account.userStatus ? 'good' : 'bad'}>
        {account.userStatus ? texts.active : texts.deactive}
      </StatusBadge>
      {why !== null && <StatusBadge tone="warn">{why}</StatusBadge>}
    </>
  );
}
