import type { Account } from '@drawhouse/contract/accounts/accounts';
import { Alert } from '@mantine/core';
import { creditTexts } from './creditTexts.ts';

const texts = creditTexts;

export function InactiveTarget({ target }: { target: Account }) {
  if (target.userStatus && !target.inactiveAbove) return null;
  return (
    <Alert color="yellow" variant="light">
      {target.inactiveAbove ? texts.inactiveAbove(target.inactiveAbove.username) : texts.inactive}
    </Alert>
  );
}
