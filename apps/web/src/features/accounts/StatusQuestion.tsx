import type { Account } from '@drawhouse/contract/accounts/accounts';
import { Text } from '@mantine/core';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { questionOf } from './accountActions.ts';
import { useBelow } from './useBelow.ts';

interface StatusQuestionProps {
  account: Account;
  opened: boolean;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an edit activates or deactivates its account: the question of the row action, in the same words. */
export function StatusQuestion({ account, opened, busy, onConfirm, onClose }: StatusQuestionProps) {
  const below = useBelow(opened && account.userStatus ? [account] : []);
  const question = questionOf({ action: 'toggle', account }, below);
  return (
    <ConfirmDialog
      opened={opened}
      title={question.title}
      danger={question.danger}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {question.text}
      {question.consequence !== null && <Text mt="xs">{question.consequence}</Text>}
    </ConfirmDialog>
  );
}
